/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.ArrayList;
import java.util.List;

import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.Choice;
import org.tutti.collectives.select.OperandOrder;
import org.tutti.tools.simulate.Prediction;
import org.tutti.tools.simulate.SimulatedCall;
import org.tutti.tools.simulate.Simulator;

/**
 * An algorithm that a call could be done by, with the segment and window that it would get.
 *
 * @param choice   the algorithm, and why.
 * @param isChosen whether a run would take this one.
 * @param isFit    whether it combines operands in the order that the call needs; else no run takes it.
 * @param call     whose time can be predicted.
 * @param bytes    the length of the call's longest buffer.
 */
record Candidate(Choice choice, boolean isChosen, boolean isFit, SimulatedCall call, long bytes)
{
    private static final long SCRATCH_BYTES = 4L << 20;

    /**
     * All that a call could get, in the order in which to show them: none that the selector or several hosts exclude.
     *
     * @param selector    chooses.
     * @param collective  of the call.
     * @param hosts       of the ranks.
     * @param bytes       of the longest buffer; rounded down to whole elements.
     * @param elementSize bytes of one.
     * @param root        or 0.
     * @param order       in which operands must be combined.
     * @return at least one.
     */
    static List<Candidate> all(
        final AlgorithmSelector selector, final Collective collective, final HostMap hosts, final long bytes,
        final int elementSize, final int root, final OperandOrder order)
    {
        final int size = hosts.size();
        // Where buffers have a block per rank, a count is that of one.
        final int parts = collective.hasBlocks() ? size : 1;
        final long count = collective == Collective.BARRIER ? 0 : bytes / elementSize / parts;
        final long length = count * parts * elementSize;
        final Choice chosen = selector.choose(collective, hosts, length, order);
        final List<Candidate> candidates = new ArrayList<>();
        for (final Algorithm algorithm : Algorithms.of(collective))
        {
            final boolean isChosen = algorithm.name().equals(chosen.algorithm().name());
            final Choice choice = isChosen ? chosen : asked(selector, algorithm)
                .choose(collective, hosts, length, OperandOrder.ANY);
            if (choice.algorithm().name().equals(algorithm.name()))
            {
                candidates.add(
                    of(choice, isChosen, order.isKeptBy(algorithm), hosts, count, elementSize, root, length));
            }
        }
        return candidates;
    }

    /** The same where operands may be combined in any order. */
    static List<Candidate> all(
        final AlgorithmSelector selector, final Collective collective, final HostMap hosts, final long bytes,
        final int elementSize, final int root)
    {
        return all(selector, collective, hosts, bytes, elementSize, root, OperandOrder.ANY);
    }

    /** Chooses the algorithm, unless ranks like those of the other selector pass it over. */
    private static AlgorithmSelector asked(final AlgorithmSelector selector, final Algorithm algorithm)
    {
        final AlgorithmSelector asked =
            AlgorithmSelector.of(ModelOptions.nameOf(algorithm.collective()) + ":0-:" + algorithm.name());
        return selector.hasPeerAccess() ? asked : asked.withoutPeerAccess();
    }

    /** The segment that it gets, in bytes. */
    long segmentBytes()
    {
        return call.requests().apply(call.count()).segment() * call.elementSize();
    }

    Prediction predict(final Simulator simulator)
    {
        return simulator.predict(call);
    }

    @SuppressWarnings("checkstyle:ParameterNumber")
    private static Candidate of(
        final Choice choice, final boolean isChosen, final boolean isFit, final HostMap hosts, final long count,
        final int elementSize, final int root, final long length)
    {
        final boolean isInPlace = choice.algorithm().collective() == Collective.BROADCAST;
        final ScheduleRequest request = fitted(choice,
            choice.request(0, hosts.size(), count, elementSize, root, isInPlace).withHosts(hosts), elementSize);
        final long segment = request.segment();
        final SimulatedCall call = new SimulatedCall(choice.algorithm(), elements -> new ScheduleRequest(
            0, hosts.size(), elements, root, isInPlace, segment, choice.window()).withHosts(hosts), count, elementSize);
        return new Candidate(choice, isChosen, isFit, call, length);
    }

    /** Takes shorter segments, as the engine does where peers have less memory than that. */
    private static ScheduleRequest fitted(
        final Choice choice, final ScheduleRequest asked, final int elementSize)
    {
        ScheduleRequest request = asked;
        try
        {
            while (request.segment() > 1 &&
                choice.algorithm().generate(request).scratchCount() * elementSize > SCRATCH_BYTES)
            {
                request = request.withSegment(Math.max(1, Math.min(request.segment(), request.count()) / 2));
            }
        }
        catch (final IllegalArgumentException e)
        {
            // Who asks for the prediction will be told the same.
            return request;
        }
        return request;
    }
}
