/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import org.tutti.collectives.pattern.FoldedRanks;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;

/** SCRATCH that schedules need, without eager blocks, which are shortened first. Stateless. */
final class ScratchForms
{
    /** Shortest segment in bytes that the engine is expected to send instead of a longer one. */
    private static final double SHORTEST = 64;
    /** Length in bytes of an element of most types, or of two. */
    private static final double ELEMENT = 8;

    private ScratchForms()
    {
    }

    /**
     * SCRATCH in bytes that an algorithm needs on the rank that needs most; about an upper bound.
     *
     * @param segment maximum length of a segment in bytes, at least 1.
     */
    static double bytes(final Algorithm algorithm, final ModelledCall call, final double segment)
    {
        // The longest chunk has one element more than others.
        final double length = ELEMENT * Math.ceil(length(algorithm, call) / ELEMENT);
        // Whether data fits a segment depends on the segment.
        final ModelledCall cut = new ModelledCall(call.ranks(), call.bytes(), (long)segment, call.window());
        return switch (algorithm.toString())
        {
            case "allgather:pat" -> pat(call.ranks(), length, segment);
            case "reduce_scatter:pat" -> 2 * pat(call.ranks(), length, segment);
            // The ring has a chunk for each host.
            case "allreduce:hierarchical_ring" ->
                segments(algorithm, cut, Math.ceil(length / segment)) * Math.min(segment, length) +
                call.window() * Math.min(segment, length / call.ranks().hosts().number());
            default -> segments(algorithm, cut, Math.ceil(length / segment)) * Math.min(segment, length);
        };
    }

    /**
     * Number of segments of SCRATCH.
     *
     * @param number number of segments of the data, or of a rank's block or chunk.
     */
    private static double segments(
        final Algorithm algorithm, final ModelledCall call, final double number)
    {
        final ModelledRanks ranks = call.ranks();
        final int window = call.window();
        final HostMap hosts = ranks.hosts();
        final int size = hosts.size();
        final int rounds = ModelledRanks.log2(size);
        final double sets = Math.min(2, number);
        return switch (algorithm.toString())
        {
            case "allreduce:ring" -> window;
            case "allreduce:double_binary_tree" -> 4.0 * window;
            case "allreduce:recursive_doubling" -> sets * exchanges(ranks.folded());
            case "allreduce:hierarchical_direct" -> betweenHosts(call, sets);
            case "allreduce:rabenseifner" -> sets * halves(ranks.folded());
            case "allreduce:one_shot", "allreduce:two_shot", "allgather:bruck", "gather:binomial",
                "gather:hierarchical", "scatter:binomial", "scatter:hierarchical" -> sets * size;
            case "allreduce:hierarchical_ring" -> inHosts(call, number);
            case "allreduce:hierarchical" -> inHosts(call, number) + betweenHosts(call, sets);
            case "allreduce:hierarchical_leader" ->
                (ModelledRanks.log2(hosts.largest()) + 1.0) * window + (number == 1 ? 1 : 0) +
                sets * exchanges(new FoldedRanks(hosts.number()));
            case "allgather:all_pairs", "alltoall:all_pairs", "reduce_scatter:pairwise" ->
                size * Math.min(window, number);
            case "reduce_scatter:ring" -> 2.0 * window;
            case "reduce_scatter:circulant" -> sets * 2 * size;
            case "reduce_scatter:recursive_halving" -> sets * size * (1 + halves(ranks.folded()));
            case "reduce_scatter:hierarchical" -> window * (4.0 * hosts.largest() + hosts.number());
            case "reduce:binomial", "reduce:in_order_binomial" -> (rounds + 1.0) * window;
            case "reduce:knomial_4" -> (children(size) + 1.0) * window;
            case "reduce:hierarchical" ->
                (ModelledRanks.log2(hosts.number()) + ModelledRanks.log2(hosts.largest()) + 1.0) * window;
            case "reduce:chain", "scan:chain", "exscan:chain" -> 2.0 * window;
            case "reduce:in_order_tree" -> 3.0 * window;
            case "alltoall:bruck" -> sets * 2 * ExchangeForms.bruckBlocks(size);
            case "alltoall:hierarchical" -> sets * (double)ranks.exchangeSlots();
            case "scan:recursive_doubling", "exscan:recursive_doubling" -> sets * 3.0 * rounds;
            case "scan:hierarchical", "exscan:hierarchical" -> sets *
                (3.0 * ModelledRanks.log2(ranks.runs()) + 2.0 * ModelledRanks.log2(ranks.longestRun()) + 2);
            case "broadcast:binomial", "broadcast:knomial_4", "broadcast:hierarchical" -> number == 1 ? 1 : 0;
            case "reduce:direct" -> window;
            case "alltoall:pairwise" -> (1.0 + size % 2) * window;
            default -> 0;
        };
    }

    /** Slots for the messages of exchanges by recursive doubling, and for the sums that are sent. */
    private static double exchanges(final FoldedRanks folded)
    {
        return Math.max(0, 2 * folded.rounds() - 1) + (folded.hasExtras() ? 2 : 0);
    }

    /** Slots for an allreduce between hosts. */
    private static double betweenHosts(final ModelledCall call, final double sets)
    {
        final FoldedRanks folded = new FoldedRanks(call.ranks().hosts().number());
        return sets * (call.fitsSegment() ? exchanges(folded) : halves(folded));
    }

    /** Slots for a reduce-scatter and an allgather within hosts. */
    private static double inHosts(final ModelledCall call, final double number)
    {
        final int largest = call.ranks().hosts().largest();
        return largest * Math.min(call.window(), number) + (call.fitsSegment() ? largest : 0);
    }

    /** Number of children of the root of a 4-nomial tree. */
    private static int children(final int size)
    {
        int children = 0;
        for (int distance = 1; distance < size; distance *= 4)
        {
            children += Math.min(3, Math.ceilDiv(size, distance) - 1);
        }
        return children;
    }

    /** Bytes that parallel aggregated trees need: in one slot per level, as many blocks as fit a segment. */
    private static double pat(final ModelledRanks ranks, final double block, final double segment)
    {
        final int all = 1 << ranks.rounds();
        final int trees = Integer.highestOneBit(Math.clamp((long)(segment / Math.max(1, block)), 1, all));
        return (ModelledRanks.log2(all / trees) + 1) * Math.min(trees, ranks.size()) * Math.min(segment, block);
    }

    /** Share of the data that a rank receives in exchanges of halves. */
    private static double halves(final FoldedRanks folded)
    {
        return 1 - 1.0 / folded.count() + (folded.hasExtras() ? 1 : 0);
    }

    /** Length in bytes of the data, or of a rank's block or chunk, which is cut into segments. */
    static double length(final Algorithm algorithm, final ModelledCall call)
    {
        return switch (algorithm.toString())
        {
            case "allreduce:ring", "allreduce:two_shot", "reduce:direct" -> call.block();
            case "allreduce:double_binary_tree" -> call.bytes() / 2;
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
