/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import org.tutti.collectives.pattern.HostExchanges;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;

/** SCRATCH that algorithms need, in segments, as their javadoc states it. Stateless. */
final class ScratchForms
{
    /** Shortest segment in bytes that the engine is expected to send instead of a longer one. */
    private static final double SHORTEST = 64;

    private ScratchForms()
    {
    }

    /** Number of segments of SCRATCH that an algorithm needs on the rank that needs most; an upper bound. */
    static double segments(final Algorithm algorithm, final HostMap hosts, final int window)
    {
        final int size = hosts.size();
        final int rounds = ModelledRanks.log2(size);
        return switch (algorithm.toString())
        {
            case "allreduce:ring" -> window;
            case "allreduce:double_binary_tree" -> 4.0 * window;
            case "allreduce:recursive_doubling", "allreduce:hierarchical_direct" -> 4.0 * rounds + 2;
            case "allreduce:rabenseifner" -> 4;
            case "allreduce:one_shot", "allreduce:two_shot", "allgather:bruck", "gather:binomial",
                "gather:hierarchical", "scatter:binomial", "scatter:hierarchical" -> 2.0 * size;
            case "allreduce:hierarchical", "allreduce:hierarchical_ring" -> (double)hosts.largest() * window + 4;
            case "allreduce:hierarchical_leader" -> 6.0 * rounds * window;
            case "allgather:pat" -> rounds + 1.0;
            case "allgather:all_pairs", "alltoall:all_pairs", "reduce_scatter:pairwise" -> (double)size * window;
            case "reduce_scatter:ring" -> 2.0 * window;
            case "reduce_scatter:circulant", "reduce_scatter:recursive_halving" -> 2.0 * size * (rounds + 2);
            case "reduce_scatter:pat" -> 2.0 * rounds + 2;
            case "reduce_scatter:hierarchical" -> window * (4.0 * hosts.largest() + hosts.number());
            case "reduce:binomial", "reduce:in_order_binomial", "reduce:hierarchical" -> (rounds + 2.0) * window;
            case "reduce:knomial_4" -> (1.5 * rounds + 4) * window;
            case "reduce:chain", "scan:chain", "exscan:chain" -> 2.0 * window;
            case "reduce:in_order_tree" -> 3.0 * window;
            case "alltoall:bruck" -> 2.0 * size * rounds;
            case "alltoall:hierarchical" -> 2.0 * new HostExchanges(hosts).slots();
            case "scan:recursive_doubling", "exscan:recursive_doubling" -> 6.0 * rounds;
            case "scan:hierarchical", "exscan:hierarchical" -> 6.0 * rounds + 4;
            default -> window;
        };
    }

    /** Segment that fits the memory, as short as the engine would make it; 0 if none is long enough to be useful. */
    static long segment(
        final Algorithm algorithm, final ModelledCall call, final long scratchBytes)
    {
        final double needed = segments(algorithm, call.ranks().hosts(), call.window());
        final double longest = algorithm.collective().hasBlocks() ? call.block() : call.bytes();
        double segment = Math.min((double)call.segment(), longest);
        boolean isShortened = false;
        while (segment > 0 && needed * segment > scratchBytes && (segment >= SHORTEST || !isShortened))
        {
            segment /= 2;
            isShortened = true;
        }
        return !isShortened ? call.segment() : segment < SHORTEST ? 0 : (long)segment;
    }
}
