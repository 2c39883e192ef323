/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

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

    /**
     * SCRATCH in bytes that an algorithm needs on the rank that needs most; an upper bound.
     *
     * @param segment maximum length of a segment in bytes, at least 1.
     */
    static double bytes(final Algorithm algorithm, final ModelledCall call, final double segment)
    {
        final double length = length(algorithm, call);
        final int size = call.size();
        final double slots = ModelledRanks.log2(size) + 1.0;
        return switch (algorithm.toString())
        {
            // Segments have several blocks, if these are short.
            case "allgather:pat" -> Math.min((size + 1) * length, slots * segment);
            case "reduce_scatter:pat" -> 2 * Math.min((size + 1) * length, slots * segment);
            default -> segments(algorithm, call.ranks(), call.window(), Math.ceil(length / segment)) *
                Math.min(segment, length);
        };
    }

    /**
     * Number of segments of SCRATCH.
     *
     * @param number number of segments of the data, or of a rank's block or chunk.
     */
    private static double segments(
        final Algorithm algorithm, final ModelledRanks ranks, final int window, final double number)
    {
        final HostMap hosts = ranks.hosts();
        final int size = hosts.size();
        final int rounds = ModelledRanks.log2(size);
        final boolean isPowerOfTwo = Integer.bitCount(size) == 1;
        final double sets = Math.min(2, number);
        return switch (algorithm.toString())
        {
            case "allreduce:ring" -> window;
            case "allreduce:double_binary_tree" -> 4.0 * window;
            case "allreduce:recursive_doubling" -> sets * (2.0 * rounds + 1);
            case "allreduce:hierarchical_direct" -> sets * (2.0 * ModelledRanks.log2(hosts.number()) + 1);
            case "allreduce:rabenseifner" -> sets * (isPowerOfTwo ? 1 : 2) + sets;
            case "allreduce:one_shot", "allreduce:two_shot", "allgather:bruck", "gather:binomial",
                "gather:hierarchical", "scatter:binomial", "scatter:hierarchical" -> sets * size;
            case "allreduce:hierarchical", "allreduce:hierarchical_ring" ->
                hosts.largest() * Math.min(window, number) + 2 * sets + window;
            case "allreduce:hierarchical_leader" -> (ModelledRanks.log2(hosts.largest()) + 2.0) * window +
                2 * (2.0 * ModelledRanks.log2(hosts.number()) + 1);
            case "allgather:all_pairs", "alltoall:all_pairs", "reduce_scatter:pairwise" ->
                size * Math.min(window, number);
            case "reduce_scatter:ring" -> 2.0 * window;
            case "reduce_scatter:circulant" -> sets * size * (rounds + 1);
            case "reduce_scatter:recursive_halving" -> sets * size * (isPowerOfTwo ? 2 : rounds + 2);
            case "reduce_scatter:hierarchical" -> window * (4.0 * hosts.largest() + hosts.number());
            case "reduce:binomial", "reduce:in_order_binomial", "reduce:hierarchical" -> (rounds + 2.0) * window;
            case "reduce:knomial_4" -> (1.5 * rounds + 4) * window;
            case "reduce:chain", "scan:chain", "exscan:chain" -> 2.0 * window;
            case "reduce:in_order_tree" -> 3.0 * window;
            case "alltoall:bruck" -> sets * size * rounds;
            case "alltoall:hierarchical" -> sets * (double)ranks.exchangeSlots();
            case "scan:recursive_doubling", "exscan:recursive_doubling" -> sets * 3.0 * rounds;
            case "scan:hierarchical", "exscan:hierarchical" -> sets * (3.0 * rounds + 2);
            default -> window;
        };
    }

    /** Length in bytes of the data, or of a rank's block or chunk, which is cut into segments. */
    static double length(final Algorithm algorithm, final ModelledCall call)
    {
        return switch (algorithm.toString())
        {
            case "allreduce:ring", "allreduce:two_shot", "reduce:direct" -> call.block();
            case "allreduce:hierarchical", "allreduce:hierarchical_ring", "allreduce:hierarchical_direct" ->
                call.bytes() / call.ranks().hosts().smallest();
            default -> algorithm.collective().hasBlocks() ? call.block() : call.bytes();
        };
    }

    /** Segment that fits the memory, as short as the engine would make it; 0 if none is long enough to be useful. */
    static long segment(
        final Algorithm algorithm, final ModelledCall call, final long scratchBytes)
    {
        if (bytes(algorithm, call, (double)call.segment()) <= scratchBytes)
        {
            return call.segment();
        }
        final double longest = algorithm.collective().hasBlocks() ? call.block() : call.bytes();
        double segment = Math.min((double)call.segment(), longest) / 2;
        while (segment >= SHORTEST && bytes(algorithm, call, segment) > scratchBytes)
        {
            segment /= 2;
        }
        return segment < SHORTEST ? 0 : (long)segment;
    }
}
