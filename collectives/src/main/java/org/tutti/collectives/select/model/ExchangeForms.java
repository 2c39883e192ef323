/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

/**
 * Times of algorithms whose ranks all exchange messages in rounds of doubling or halving distances, one segment after
 * the other: rounds times latency, plus bytes over bandwidth, plus bytes reduced or copied. The forms are those of
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521, and, for Bruck's
 * algorithms, of Bruck, Ho, Kipnis, Upfal and Weathersby, doi:10.1109/71.642949, with a link for each round.
 */
final class ExchangeForms
{
    private ExchangeForms()
    {
    }

    static double recursiveDoubling(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.bytes());
        final double segment = call.bytes() / number;
        double time = fold(ranks, segment) + (ranks.folded().hasExtras() ? ranks.copy(segment) : 0);
        for (int i = 0; i < ranks.folded().rounds(); i++)
        {
            time += ranks.exchange(i).message(segment) + ranks.reduce(segment);
        }
        return number * time;
    }

    static double rabenseifner(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.bytes());
        final double segment = call.bytes() / number;
        double time = fold(ranks, segment);
        double once = 0;
        double length = segment;
        for (int i = 0; i < ranks.folded().rounds(); i++)
        {
            final ModelLink link = ranks.exchange(i);
            length /= 2;
            time += 2 * link.message(length) + ranks.reduce(length);
            once += link.sendNs() + link.receiveNs();
        }
        return once + number * time;
    }

    /** Time in which the extra ranks give their data to their proxies and get the result. */
    private static double fold(final ModelledRanks ranks, final double bytes)
    {
        return ranks.folded().hasExtras() ? 2 * ranks.edge(0).message(bytes) + ranks.reduce(bytes) : 0;
    }

    static double dissemination(final ModelledCall call)
    {
        double time = 0;
        for (int i = 0; i < call.ranks().rounds(); i++)
        {
            time += call.ranks().shift(i).signal();
        }
        return time;
    }

    static double bruckAllgather(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final int size = call.size();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        double time = ranks.copy(segment) + copies(ranks, number, (size - 1) * segment);
        for (int i = 0; 1 << i < size; i++)
        {
            time += ranks.shift(i).message(Math.min(1 << i, size - (1 << i)) * segment);
        }
        return number * time + ranks.copy(call.block());
    }

    /** Copies between packed blocks and a buffer: two if blocks are whole, else one per block. */
    private static double copies(final ModelledRanks ranks, final double segments, final double bytes)
    {
        return ranks.copy(bytes) + (segments == 1 ? 1 : ranks.size() - 2) * ranks.copy(0);
    }

    static double circulant(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        double time = copies(ranks, number, call.size() * segment);
        for (int left = call.size(); left > 1; left = Math.ceilDiv(left, 2))
        {
            final int kept = Math.ceilDiv(left, 2);
            final double length = (left - kept) * segment;
            time += ranks.shift(ModelledRanks.log2(kept)).message(length) + ranks.reduce(length);
        }
        return number * time;
    }

    static double recursiveHalving(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double all = call.bytes() / number;
        double time = ranks.copy(all) + (call.size() - 1) * ranks.copy(0);
        double length = all;
        for (int i = 0; i < ranks.folded().rounds(); i++)
        {
            length /= 2;
            time += ranks.exchange(i).message(length) + ranks.reduce(length);
        }
        if (ranks.folded().hasExtras())
        {
            time += ranks.edge(0).message(all) + ranks.reduce(all) + ranks.edge(0).message(all / call.size());
        }
        return number * time;
    }

    static double bruckAlltoall(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final int size = call.size();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        double time = 0;
        for (int i = 0; 1 << i < size; i++)
        {
            final int blocks = withBit(size, i);
            time += ranks.shift(i).message(blocks * segment) + blocks * ranks.copy(segment);
        }
        return number * time + ranks.copy(call.block()) + (size - 1) * number * ranks.copy(segment);
    }

    /** Number of blocks that a rank sends in an alltoall by Bruck et al. */
    static int bruckBlocks(final int size)
    {
        int blocks = 0;
        for (int i = 0; 1 << i < size; i++)
        {
            blocks += withBit(size, i);
        }
        return blocks;
    }

    /** How many of the numbers below a limit have a bit set. */
    private static int withBit(final int limit, final int bit)
    {
        final int period = 2 << bit;
        return limit / period * (period / 2) + Math.max(0, limit % period - period / 2);
    }

    static double recursiveDoublingScan(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.bytes());
        final double segment = call.bytes() / number;
        double time = 0;
        // Rank 0 sends to others in all rounds, without waiting.
        double sent = 0;
        for (int i = 0; i < ranks.rounds(); i++)
        {
            final ModelLink link = ranks.shift(i);
            sent += link.occupied(segment);
            // In the last round, only ranks that have waited in all rounds before wait for one that has not.
            time += (i < ranks.depth() ? link.message(segment) : link.receiveNs()) + ranks.reduce(segment);
        }
        final ModelLink last = ranks.shift(ranks.rounds() - 1);
        return number * Math.max(time, sent + last.latencyNs() + last.receiveNs() + ranks.reduce(segment));
    }

    static double neighborExchange(final ModelledCall call)
    {
        if (call.size() % 2 != 0)
        {
            return RingForms.allgather(call);
        }
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink link = ranks.shift(0);
        return ranks.copy(call.block()) + link.signal() +
            number * (link.message(segment) + (call.size() / 2 - 1) * link.message(2 * segment));
    }

    static double patAllgather(final ModelledCall call)
    {
        return pat(call, false);
    }

    static double patReduceScatter(final ModelledCall call)
    {
        return pat(call, true);
    }

    /**
     * Parallel aggregated trees: as many trees as blocks fit a segment, first to all their roots, then down all trees
     * at the same time. Jeaugey, <i>PAT: a new algorithm for all-gather and reduce-scatter operations at scale</i>,
     * 2025, arXiv:2506.20252.
     */
    private static double pat(final ModelledCall call, final boolean isReduced)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final int all = 1 << ranks.rounds();
        final int fitting = Math.clamp((long)(call.segment() / Math.max(1, segment)), 1, all);
        final int trees = Integer.highestOneBit(fitting);
        final int depth = ModelledRanks.log2(all / trees);
        final double share = (double)ranks.size() / all;
        double time = ranks.copy(segment) +
            (isReduced ? (1 << depth) * (trees * ranks.copy(0) + ranks.copy(trees * segment)) :
            (ranks.size() - 1) * ranks.copy(0));
        for (int i = 0; 1 << i < trees; i++)
        {
            time += hop(ranks, ranks.shift(ranks.rounds() - 1 - i), (1 << i) * segment * share, isReduced);
        }
        for (int i = 0; i < depth; i++)
        {
            final ModelLink link = ranks.shift(i);
            time += (1 << (depth - 1 - i)) *
                (hop(ranks, link, trees * segment * share, isReduced) + link.sendNs() + link.receiveNs());
        }
        return number * time + ranks.copy(call.block());
    }

    private static double hop(
        final ModelledRanks ranks, final ModelLink link, final double bytes, final boolean isReduced)
    {
        return link.message(bytes) + (isReduced ? ranks.reduce(bytes) : ranks.copy(bytes));
    }
}
