/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;

import java.util.List;

import static org.tutti.collectives.select.Rule.ANY;

/**
 * The algorithms for what was measured: up to eight ranks on one host that share memory; and the tunings of all
 * algorithms. In each table the first line that applies is used. All other calls get what the cost model predicts
 * ({@link ModelChoices}), with these tunings.
 * <p>
 * Recursive doubling has the fewest steps, and the ring the fewest bytes. The lines for up to four ranks were measured
 * on two cores over shm: recursive doubling and the ring break even at 32 KiB with two ranks and between 64 and 128 KiB
 * with four; from 1 MiB, ring segments of 256 KiB are up to a third faster than those of 64 KiB; the binomial tree and
 * the chain break even between 64 and 256 KiB with four ranks.
 * <p>
 * Two ranks that can load one another's memory allreduce directly from peer memory from 2 KiB. Measured on two cores of
 * an AMD EPYC that share a cache, this takes a third to two thirds of the time of messages and copies from 8 to
 * 512 KiB, and four fifths of it at 8 MiB. On two cores of an Intel Xeon that share no cache, it takes three quarters
 * at 2 KiB and half at 4 KiB; below, both are equal. The other direct algorithms, measured on the same cores: a reduce
 * takes three quarters of the time at 8 KiB and a third from 16 KiB to 1 MiB, but up to 4 KiB twice the time of a tree,
 * which waits for no rank at these lengths (docs/adr/0022); a broadcast down the chain, too, takes twice the time of a
 * tree up to 4 KiB. A reduce-scatter takes the same time at 1 KiB, half at 4 KiB, and a fifth to a third from 64 KiB. A
 * broadcast takes 80 % at 64 KiB and half or less from 1 MiB, but longer than the chain up to 16 KiB.
 * <p>
 * A host often has more ranks than cores, and then the number of context switches in a call determines its duration.
 * That number is smallest where each rank sends to all others at once: on these two cores, three to eight ranks then
 * take two thirds to four fifths of the time of recursive doubling up to 4 KiB, and the same time at 16 KiB. Above
 * that, a direct allreduce takes 40 to 80 % of the time of the ring with four ranks, and 25 to 65 % with eight. A
 * barrier of all pairs takes 65 to 90 % of the time of dissemination. Allgathers, alltoalls and reduce-scatters in
 * which four or eight ranks send to all others at once take half to nine tenths of the time of Bruck's and the
 * circulant algorithm; the tables switch where such an allgather breaks even with Bruck's, between 4 and 16 KiB, and
 * such an alltoall with the pairwise algorithm, at 64 KiB with four ranks and at 256 KiB with eight. Direct reductions
 * to a root wait for all ranks, which trees do not: trees take 30 to 45 % of their time at 16 KiB, about the same at
 * 128 KiB, and up to two and a half times as long from 256 KiB. A direct broadcast takes 60 to 85 % of the time of the
 * chain from 128 to 512 KiB, and the same time from 1 MiB. None of these was measured with one core per rank.
 * <p>
 * Linear gathers and scatters send blocks of up to 4 KiB eagerly, before the receiver is ready (docs/adr/0026). On the
 * same cores, two, four and eight ranks take the time of a tree up to 1 KiB, two thirds of it to all of it at 4 KiB,
 * and a sixth to a half of it at 16 KiB. A pairwise alltoall of two ranks takes an eighth to a half of the time of
 * Bruck's at 16 KiB and more; with four ranks it takes two thirds of the time of the alltoall of all pairs at 256 KiB.
 * <p>
 * The segments of algorithms without a line are not measured.
 * <p>
 * Data that fits a segment is broadcast down a binomial or 4-nomial tree through SCRATCH, so that ranks do not wait for
 * their children.
 */
final class Defaults
{
    /** Maximum number of ranks that the rules were measured with. */
    static final int MOST_RANKS = 8;

    static final String SOURCE = "measured default";

    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final long NO_LIMIT = Long.MAX_VALUE;

    static final List<Rule> RULES = List.of(
        rule(Collective.ALLREDUCE, 2, 2, 2 * KIB, NO_LIMIT, "direct"),
        rule(Collective.ALLREDUCE, 3, 8, 0, 16 * KIB, "one_shot"),
        rule(Collective.ALLREDUCE, 3, 8, 16 * KIB, NO_LIMIT, "direct"),
        rule(Collective.ALLREDUCE, 1, 2, 0, 32 * KIB, "recursive_doubling"),
        rule(Collective.ALLREDUCE, 3, ANY, 0, 64 * KIB, "recursive_doubling"),
        rule(Collective.ALLREDUCE, 1, ANY, 16 * KIB, NO_LIMIT, "ring"),
        rule(Collective.BROADCAST, 2, 2, 64 * KIB, NO_LIMIT, "direct"),
        rule(Collective.BROADCAST, 2, 2, 4097, NO_LIMIT, "chain"),
        rule(Collective.BROADCAST, 3, 8, 128 * KIB, 1 * MIB, "direct"),
        rule(Collective.BROADCAST, 1, ANY, 0, 128 * KIB, "binomial"),
        rule(Collective.BROADCAST, 1, ANY, 128 * KIB, NO_LIMIT, "chain"),
        rule(Collective.BARRIER, 3, 8, 0, NO_LIMIT, "all_pairs"),
        rule(Collective.BARRIER, 1, ANY, 0, NO_LIMIT, "dissemination"),
        rule(Collective.ALLGATHER, 2, 2, 0, 2 * KIB, "bruck"),
        rule(Collective.ALLGATHER, 3, 8, 0, 8 * KIB, "all_pairs"),
        rule(Collective.ALLGATHER, 3, ANY, 0, 64 * KIB, "bruck"),
        rule(Collective.ALLGATHER, 1, ANY, 0, NO_LIMIT, "ring"),
        rule(Collective.REDUCE_SCATTER, 2, 2, 2 * KIB, NO_LIMIT, "direct"),
        rule(Collective.REDUCE_SCATTER, 3, 8, 16 * KIB, NO_LIMIT, "direct"),
        rule(Collective.REDUCE_SCATTER, 3, 8, 0, 16 * KIB, "pairwise"),
        rule(Collective.REDUCE_SCATTER, 3, ANY, 0, 64 * KIB, "circulant"),
        rule(Collective.REDUCE_SCATTER, 1, ANY, 0, NO_LIMIT, "ring"),
        rule(Collective.REDUCE, 2, 2, 4097, NO_LIMIT, "direct"),
        rule(Collective.REDUCE, 3, 8, 192 * KIB, NO_LIMIT, "direct"),
        rule(Collective.REDUCE, 1, ANY, 0, 128 * KIB, "binomial"),
        rule(Collective.REDUCE, 1, ANY, 128 * KIB, NO_LIMIT, "chain"),
        rule(Collective.GATHER, 2, 8, 0, NO_LIMIT, "linear"),
        rule(Collective.GATHER, 1, ANY, 0, 64 * KIB, "binomial"),
        rule(Collective.GATHER, 1, ANY, 64 * KIB, NO_LIMIT, "linear"),
        rule(Collective.SCATTER, 2, 8, 0, NO_LIMIT, "linear"),
        rule(Collective.SCATTER, 1, ANY, 0, 64 * KIB, "binomial"),
        rule(Collective.SCATTER, 1, ANY, 64 * KIB, NO_LIMIT, "linear"),
        rule(Collective.ALLTOALL, 2, 2, 4097, NO_LIMIT, "pairwise"),
        rule(Collective.ALLTOALL, 3, 4, 0, 64 * KIB, "all_pairs"),
        rule(Collective.ALLTOALL, 5, 8, 0, 256 * KIB, "all_pairs"),
        rule(Collective.ALLTOALL, 1, ANY, 0, 16 * KIB, "bruck"),
        rule(Collective.ALLTOALL, 1, ANY, 16 * KIB, NO_LIMIT, "pairwise"),
        rule(Collective.GATHERV, 1, ANY, 0, NO_LIMIT, "linear"),
        rule(Collective.SCATTERV, 1, ANY, 0, NO_LIMIT, "linear"),
        rule(Collective.ALLTOALLV, 1, ANY, 0, NO_LIMIT, "pairwise"));

    static final List<Tuning> TUNINGS = List.of(
        tuning(Collective.ALLREDUCE, "recursive_doubling", 0, NO_LIMIT, 64 * KIB, 2),
        tuning(Collective.ALLREDUCE, "ring", 0, 512 * KIB, 64 * KIB, 4),
        tuning(Collective.ALLREDUCE, "ring", 512 * KIB, NO_LIMIT, 256 * KIB, 4),
        tuning(Collective.ALLREDUCE, "double_binary_tree", 0, 1 * MIB, 32 * KIB, 4),
        tuning(Collective.ALLREDUCE, "double_binary_tree", 1 * MIB, NO_LIMIT, 64 * KIB, 4),
        tuning(Collective.ALLREDUCE, "rabenseifner", 0, NO_LIMIT, 1 * MIB, 1),
        tuning(Collective.ALLREDUCE, "one_shot", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.ALLREDUCE, "two_shot", 0, NO_LIMIT, 256 * KIB, 1),
        tuning(Collective.ALLREDUCE, "hierarchical", 0, NO_LIMIT, 64 * KIB, 4),
        tuning(Collective.ALLREDUCE, "hierarchical_ring", 0, 1 * MIB, 64 * KIB, 4),
        tuning(Collective.ALLREDUCE, "hierarchical_ring", 1 * MIB, NO_LIMIT, 128 * KIB, 4),
        tuning(Collective.ALLREDUCE, "hierarchical_direct", 0, NO_LIMIT, 64 * KIB, 4),
        tuning(Collective.ALLREDUCE, "hierarchical_leader", 0, NO_LIMIT, 32 * KIB, 4),
        tuning(Collective.BROADCAST, "hierarchical", 0, 64 * KIB, 16 * KIB, 8),
        tuning(Collective.BROADCAST, "hierarchical", 64 * KIB, NO_LIMIT, 32 * KIB, 8),
        tuning(Collective.BARRIER, "hierarchical", 0, NO_LIMIT, 1, 1),
        tuning(Collective.REDUCE, "hierarchical", 0, NO_LIMIT, 32 * KIB, 4),
        tuning(Collective.ALLGATHER, "hierarchical", 0, NO_LIMIT, 64 * KIB, 4),
        tuning(Collective.REDUCE_SCATTER, "hierarchical", 0, NO_LIMIT, 64 * KIB, 2),
        tuning(Collective.ALLREDUCE, "direct", 0, 16 * MIB, 32 * KIB, 4),
        tuning(Collective.ALLREDUCE, "direct", 16 * MIB, NO_LIMIT, 256 * KIB, 4),
        tuning(Collective.BROADCAST, "direct", 0, NO_LIMIT, 128 * KIB, 4),
        tuning(Collective.BROADCAST, "binomial", 0, 64 * KIB, 16 * KIB, 8),
        tuning(Collective.BROADCAST, "binomial", 64 * KIB, NO_LIMIT, 32 * KIB, 8),
        tuning(Collective.BROADCAST, "knomial_4", 0, 64 * KIB, 16 * KIB, 8),
        tuning(Collective.BROADCAST, "knomial_4", 64 * KIB, NO_LIMIT, 32 * KIB, 8),
        tuning(Collective.BROADCAST, "scatter_allgather", 0, NO_LIMIT, 128 * KIB, 4),
        tuning(Collective.BROADCAST, "chain", 0, NO_LIMIT, 128 * KIB, 8),
        tuning(Collective.BARRIER, "dissemination", 0, NO_LIMIT, 1, 1),
        tuning(Collective.BARRIER, "all_pairs", 0, NO_LIMIT, 1, 1),
        tuning(Collective.ALLGATHER, "bruck", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.ALLGATHER, "ring", 0, NO_LIMIT, 256 * KIB, 4),
        tuning(Collective.ALLGATHER, "neighbor_exchange", 0, NO_LIMIT, 256 * KIB, 4),
        tuning(Collective.ALLGATHER, "pat", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.ALLGATHER, "all_pairs", 0, NO_LIMIT, 64 * KIB, 2),
        tuning(Collective.REDUCE_SCATTER, "circulant", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.REDUCE_SCATTER, "recursive_halving", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.REDUCE_SCATTER, "pat", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.REDUCE_SCATTER, "ring", 0, NO_LIMIT, 256 * KIB, 4),
        tuning(Collective.REDUCE_SCATTER, "pairwise", 0, NO_LIMIT, 64 * KIB, 2),
        tuning(Collective.REDUCE_SCATTER, "direct", 0, NO_LIMIT, 32 * KIB, 1),
        tuning(Collective.REDUCE, "direct", 0, NO_LIMIT, 32 * KIB, 4),
        tuning(Collective.REDUCE, "binomial", 0, NO_LIMIT, 32 * KIB, 4),
        tuning(Collective.REDUCE, "knomial_4", 0, NO_LIMIT, 32 * KIB, 4),
        tuning(Collective.REDUCE, "chain", 0, NO_LIMIT, 128 * KIB, 4),
        tuning(Collective.REDUCE, "in_order_tree", 0, NO_LIMIT, 64 * KIB, 4),
        tuning(Collective.REDUCE, "in_order_binomial", 0, NO_LIMIT, 32 * KIB, 4),
        tuning(Collective.GATHER, "binomial", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.GATHER, "linear", 0, NO_LIMIT, 256 * KIB, 8),
        tuning(Collective.GATHER, "hierarchical", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.SCATTER, "binomial", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.SCATTER, "linear", 0, NO_LIMIT, 256 * KIB, 8),
        tuning(Collective.SCATTER, "hierarchical", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.ALLTOALL, "bruck", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.ALLTOALL, "pairwise", 0, NO_LIMIT, 256 * KIB, 4),
        tuning(Collective.ALLTOALL, "all_pairs", 0, NO_LIMIT, 64 * KIB, 2),
        tuning(Collective.ALLTOALL, "hierarchical", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.SCAN, "recursive_doubling", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.SCAN, "chain", 0, NO_LIMIT, 128 * KIB, 4),
        tuning(Collective.SCAN, "hierarchical", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.EXSCAN, "recursive_doubling", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.EXSCAN, "chain", 0, NO_LIMIT, 128 * KIB, 4),
        tuning(Collective.EXSCAN, "hierarchical", 0, NO_LIMIT, 64 * KIB, 1),
        tuning(Collective.GATHERV, "linear", 0, NO_LIMIT, 256 * KIB, 8),
        tuning(Collective.SCATTERV, "linear", 0, NO_LIMIT, 256 * KIB, 8),
        tuning(Collective.ALLTOALLV, "pairwise", 0, NO_LIMIT, 256 * KIB, 4));

    /** The segment of an algorithm without a tuning. */
    private static final long DEFAULT_SEGMENT_BYTES = 64 << 10;
    private static final int DEFAULT_WINDOW = 4;

    private Defaults()
    {
    }

    /** Loads the tables and the algorithms when a rank joins, which would take longer than all else in a first call. */
    static void load()
    {
        // Loading this class is the effect.
    }

    /**
     * Returns the segment and window of an algorithm at a length, for defaults and overrides. Allocates nothing for an
     * algorithm of the table: the cost model asks for each candidate of a new call.
     */
    static Tuning tuningOf(final Algorithm algorithm, final long bytes)
    {
        boolean isTuned = false;
        for (int i = 0; i < TUNINGS.size(); i++)
        {
            final Tuning tuning = TUNINGS.get(i);
            if (tuning.algorithm().equals(algorithm))
            {
                if (tuning.range().contains(bytes))
                {
                    return tuning;
                }
                isTuned = true;
            }
        }
        if (isTuned)
        {
            throw new IllegalStateException("no tuning of " + algorithm + " for " + bytes + " bytes");
        }
        return untuned(algorithm);
    }

    /** Returns the tuning of an algorithm that the table does not contain. */
    static Tuning untuned(final Algorithm algorithm)
    {
        return new Tuning(algorithm, new ByteRange(0, NO_LIMIT), DEFAULT_SEGMENT_BYTES, DEFAULT_WINDOW);
    }

    // Numbers and loops, because this runs in the first call of each process: patterns and streams take it 10 ms more.
    private static Rule rule(
        final Collective collective, final int minSize, final int maxSize, final long min, final long max,
        final String algorithm)
    {
        return new Rule(
            collective, minSize, maxSize, new ByteRange(min, max), Algorithms.named(collective, algorithm), SOURCE,
            RuleScope.ANY);
    }

    private static Tuning tuning(
        final Collective collective, final String algorithm, final long min, final long max, final long segment,
        final int window)
    {
        return new Tuning(Algorithms.named(collective, algorithm), new ByteRange(min, max), segment, window);
    }
}
