/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.List;

import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.schedule.ScratchLimits;
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
     * All candidates of a call in display order: {@link Candidates#available}.
     *
     * @param selector selector of the algorithms.
     * @param shape    shape of the call.
     * @return the candidates that can be built.
     */
    static List<Candidate> all(final AlgorithmSelector selector, final Shape shape)
    {
        return Candidates.of(selector, shape).available();
    }

    /**
     * Creates a candidate whose segment fits SCRATCH.
     *
     * @throws IllegalArgumentException if the algorithm cannot be built for the call; the message says why.
     */
    static Candidate of(final Choice choice, final boolean isChosen, final Shape shape, final ScratchLimits limits)
    {
        final HostMap hosts = shape.hosts;
        final boolean isInPlace = shape.collective == Collective.BROADCAST;
        final long segment = limits.generate(choice.algorithm(), choice.request(0, hosts.size(), shape.count(),
            shape.elementSize, shape.root, isInPlace).withHosts(hosts), shape.elementSize).request().segment();
        return new Candidate(choice, isChosen, shape.order.isKeptBy(choice.algorithm()),
            new SimulatedCall(choice.algorithm(), elements -> new ScheduleRequest(
                0, hosts.size(), elements, shape.root, isInPlace, segment, choice.window()).withHosts(hosts),
                shape.count(), shape.elementSize), shape.length());
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
}
