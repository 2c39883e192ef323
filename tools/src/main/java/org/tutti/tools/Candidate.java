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
 * An algorithm that a call could use, with its segment and window.
 *
 * @param choice   the algorithm and the reason for it.
 * @param isChosen whether a run would use the algorithm.
 * @param isFit    whether the algorithm combines operands in the order that the call needs; else no run uses the
 *                 algorithm.
 * @param call     the call to predict.
 * @param bytes    bytes of the call's longest buffer.
 */
record Candidate(Choice choice, boolean isChosen, boolean isFit, SimulatedCall call, long bytes)
{
    private static final long SCRATCH_BYTES = 4L << 20;

    /**
     * A call for which an algorithm is chosen.
     *
     * @param collective  collective to call.
     * @param hosts       hosts of the ranks.
     * @param bytes       bytes of the longest buffer; rounded down to whole elements.
     * @param elementSize bytes of an element.
     * @param root        root rank, or 0 if there is none.
     * @param order       order in which operands must be combined.
     */
    record Shape(Collective collective, HostMap hosts, long bytes, int elementSize, int root, OperandOrder order)
    {
        /** Creates a shape whose operands may be combined in any order. */
        Shape(final Collective collective, final HostMap hosts, final long bytes, final int elementSize, final int root)
        {
            this(collective, hosts, bytes, elementSize, root, OperandOrder.ANY);
        }

        /** Number of elements; for collectives with blocks, of one block. */
        long count()
        {
            return collective == Collective.BARRIER ? 0 : bytes / elementSize / parts();
        }

        /** Length of the longest buffer in bytes, rounded down to whole elements of equal blocks. */
        long length()
        {
            return count() * parts() * elementSize;
        }

        private int parts()
        {
            return collective.hasBlocks() ? hosts.size() : 1;
        }
    }

    /**
     * All candidates of a call in display order, without those that the selector does not choose even on request, for
     * example because ranks are on several hosts.
     *
     * @param selector selector of the algorithms.
     * @param shape    shape of the call.
     * @return the candidates, at least one.
     */
    static List<Candidate> all(final AlgorithmSelector selector, final Shape shape)
    {
        final Choice chosen = selector.choose(shape.collective, shape.hosts, shape.length(), shape.order);
        final List<Candidate> candidates = new ArrayList<>();
        for (final Algorithm algorithm : Algorithms.of(shape.collective))
        {
            final boolean isChosen = algorithm.name().equals(chosen.algorithm().name());
            final Choice choice = isChosen ? chosen : asked(selector, algorithm)
                .choose(shape.collective, shape.hosts, shape.length(), OperandOrder.ANY);
            if (choice.algorithm().name().equals(algorithm.name()))
            {
                candidates.add(new Candidate(
                    choice, isChosen, shape.order.isKeptBy(algorithm), call(choice, shape), shape.length()));
            }
        }
        return candidates;
    }

    /** A selector that requests the algorithm, without access to peers' memory if the given selector has none. */
    private static AlgorithmSelector asked(final AlgorithmSelector selector, final Algorithm algorithm)
    {
        final AlgorithmSelector asked =
            AlgorithmSelector.of(ModelOptions.nameOf(algorithm.collective()) + ":0-:" + algorithm.name());
        final AlgorithmSelector over = asked.over(selector.wires(), selector.model(), "the same model");
        return selector.hasPeerAccess() ? over : over.withoutPeerAccess();
    }

    /** Length of the candidate's segment in bytes. */
    long segmentBytes()
    {
        return call.requests().apply(call.count()).segment() * call.elementSize();
    }

    Prediction predict(final Simulator simulator)
    {
        return simulator.predict(call);
    }

    private static SimulatedCall call(final Choice choice, final Shape shape)
    {
        final HostMap hosts = shape.hosts;
        final boolean isInPlace = shape.collective == Collective.BROADCAST;
        final long segment = fitted(choice, choice.request(0, hosts.size(), shape.count(), shape.elementSize,
            shape.root, isInPlace).withHosts(hosts), shape.elementSize).segment();
        return new SimulatedCall(choice.algorithm(), elements -> new ScheduleRequest(
            0, hosts.size(), elements, shape.root, isInPlace, segment, choice.window()).withHosts(hosts),
            shape.count(), shape.elementSize);
    }

    /** Shortens segments until the schedule fits the scratch memory, as the engine does. */
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
            // The prediction later fails with this exception's message.
            return request;
        }
        return request;
    }
}
