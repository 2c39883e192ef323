/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.ArrayList;
import java.util.List;

import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.ScratchLimits;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.Choice;
import org.tutti.collectives.select.OperandOrder;

/**
 * The algorithms that a call could use. Those that the selector does not choose even on request, for example because
 * ranks are on several hosts, are left out.
 *
 * @param available algorithms that can be built, in display order.
 * @param refused algorithms that cannot be built, in display order.
 */
record Candidates(List<Candidate> available, List<Refusal> refused)
{
    /**
     * An algorithm that cannot be built.
     *
     * @param algorithm name of the algorithm.
     * @param isChosen  whether a run would select the algorithm, and fail.
     * @param message   what is wrong, the limit and the fix, as a run would report it.
     */
    record Refusal(String algorithm, boolean isChosen, String message)
    {
        /** The message without the fix. */
        String reason()
        {
            final int end = message.indexOf(": ");
            return end < 0 ? message : message.substring(0, end);
        }
    }

    /**
     * Finds the candidates of a call.
     *
     * @param selector selector of the algorithms.
     * @param shape    shape of the call.
     */
    static Candidates of(final AlgorithmSelector selector, final Candidate.Shape shape)
    {
        final long scratch = selector.wires().scratchBytes();
        final ScratchLimits limits = new ScratchLimits(scratch, scratch);
        final Choice chosen = selector.choose(shape.collective(), shape.hosts(), shape.length(), shape.order());
        final List<Candidate> available = new ArrayList<>();
        final List<Refusal> refused = new ArrayList<>();
        for (final Algorithm algorithm : Algorithms.of(shape.collective()))
        {
            final boolean isChosen = algorithm.name().equals(chosen.algorithm().name());
            final Choice choice = isChosen ? chosen : asked(selector, algorithm)
                .choose(shape.collective(), shape.hosts(), shape.length(), OperandOrder.ANY);
            if (choice.algorithm().name().equals(algorithm.name()))
            {
                try
                {
                    available.add(Candidate.of(choice, isChosen, shape, limits));
                }
                catch (final IllegalArgumentException e)
                {
                    refused.add(new Refusal(algorithm.name(), isChosen, e.getMessage()));
                }
            }
        }
        return new Candidates(List.copyOf(available), List.copyOf(refused));
    }

    /** A selector that requests the algorithm, without access to peers' memory if the given selector has none. */
    private static AlgorithmSelector asked(final AlgorithmSelector selector, final Algorithm algorithm)
    {
        final AlgorithmSelector asked =
            AlgorithmSelector.of(ModelOptions.nameOf(algorithm.collective()) + ":0-:" + algorithm.name());
        final AlgorithmSelector over = asked.over(selector.wires(), selector.model(), "the same model");
        return selector.hasPeerAccess() ? over : over.withoutPeerAccess();
    }
}
