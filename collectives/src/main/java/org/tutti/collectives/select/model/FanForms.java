/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

/**
 * Times of algorithms in which a rank sends to all others, or all to one: as many messages as ranks, but one latency.
 * Pješivac-Grbović et al., <i>Performance analysis of MPI collective operations</i>, Cluster Computing 10(2), 2007,
 * doi:10.1007/s10586-007-0012-0 (linear); Hashmi et al., doi:10.1109/IPDPS.2018.00111 (on a shared address space).
 */
final class FanForms
{
    private FanForms()
    {
    }

    static double oneShot(final ModelledCall call)
    {
        final double number = call.segments(call.bytes());
        final double segment = call.bytes() / number;
        return number * ordered(call.ranks(), segment, call.ranks().reduce(segment));
    }

    static double twoShot(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink far = ranks.far();
        return (ranks.size() - 1) * (far.sendNs() + far.receiveNs()) + number *
            (ordered(ranks, segment, ranks.reduce(segment)) + ordered(ranks, segment, 0));
    }

    static double allPairsBarrier(final ModelledCall call)
    {
        return ordered(call.ranks(), 0, 0);
    }

    /** Allgather or alltoall of all pairs. */
    static double allPairs(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink far = ranks.far();
        final double credits = number > call.window() ? (ranks.size() - 1) * (far.sendNs() + far.receiveNs()) : 0;
        return number * (allToAll(ranks, segment, ranks.copy(segment)) + credits) + ranks.copy(call.block());
    }

    static double pairwiseReduceScatter(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink far = ranks.far();
        final double credits = number > call.window() ? (ranks.size() - 1) * (far.sendNs() + far.receiveNs()) : 0;
        return number * (ordered(ranks, segment, ranks.reduce(segment)) + credits);
    }

    /** As {@link #allToAll}, but ranks send and receive in rank order, so some wait for a message that is sent last. */
    private static double ordered(final ModelledRanks ranks, final double bytes, final double local)
    {
        final ModelLink near = ranks.near();
        final ModelLink far = ranks.far();
        final int farPeers = ranks.farPeers();
        final int nearPeers = ranks.size() - 1 - farPeers;
        final double sends = nearPeers * near.send(bytes) + farPeers * far.send(bytes);
        final double onAdapter = far.send(bytes) + farPeers * far.occupied(bytes);
        return Math.max(sends, onAdapter) + far.latencyNs() + nearPeers * (near.receiveNs() + local) +
            farPeers * (far.receiveNs() + local);
    }

    /**
     * Every rank sends to each other rank, to the next one first, then receives from each and works on what it has
     * received.
     */
    private static double allToAll(final ModelledRanks ranks, final double bytes, final double local)
    {
        final ModelLink near = ranks.near();
        final ModelLink far = ranks.far();
        final int farPeers = ranks.farPeers();
        final int nearPeers = ranks.size() - 1 - farPeers;
        final double sends = nearPeers * near.send(bytes) + farPeers * far.send(bytes);
        final double receives = nearPeers * (near.receiveNs() + local) + farPeers * (far.receiveNs() + local);
        final double last = far.receiveNs() + local;
        final double onAdapter = far.send(bytes) + farPeers * far.occupied(bytes);
        return Math.max(
            sends + Math.max(receives, far.latencyNs() + last), onAdapter + far.latencyNs() + last);
    }

    static double pairwiseAlltoall(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink near = ranks.near();
        final ModelLink far = ranks.far();
        final int farPeers = ranks.farPeers();
        final int nearPeers = ranks.size() - 1 - farPeers;
        final double rounds = (ranks.size() - 1) / partners(ranks) * number;
        final double ahead = number <= call.window() ? call.window() : call.halfWindow();
        final double waits = Math.ceil(rounds / ahead) - 1;
        // Within a host, the first exposure arrives while the rank exposes memory to the others.
        final double exposed = farPeers > 0 || ranks.size() == 2 ? far.signal() : 0;
        return ranks.copy(call.block()) + exposed + far.signal() + Math.max(waits * far.message(segment),
            nearPeers * exchange(call, near) + farPeers * exchange(call, far));
    }

    /** Number of a rank's partners in a step of a pairwise alltoall. */
    private static double partners(final ModelledRanks ranks)
    {
        return ranks.size() % 2 == 0 ? 1 : 2;
    }

    /** Time of an exchange of blocks with a rank while the links are busy. */
    private static double exchange(final ModelledCall call, final ModelLink link)
    {
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final double creditWork = number > call.window() ? link.sendNs() + link.receiveNs() : 0;
        final double work = link.send(segment) + link.receiveNs() + creditWork;
        return link.sendNs() + link.receiveNs() + number * Math.max(
            Math.max(work, link.occupied(segment)),
            call.creditNs(link, number, segment, 0) / partners(call.ranks()));
    }

    static double linearGather(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink far = ranks.far();
        final ModelLink one = ranks.hosts().number() == 1 ? far : ranks.across(1);
        final int peers = ranks.size() - 1;
        final double credits = number > call.window() ? number * peers * one.sendNs() : 0;
        // Blocks arrive while the root still exposes its buffer to other ranks.
        final double work = peers * one.sendNs() + number * peers * one.receiveNs() + credits;
        final double arrivals = one.signal() + Math.max(
            number * one.send(segment), ranks.farPeers() * number * one.occupied(segment)) + one.receiveNs();
        return Math.max(Math.max(work, arrivals), peers * one.sendNs() + ranks.copy(call.block())) +
            one.latencyNs();
    }

    static double linearScatter(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink near = ranks.near();
        final ModelLink one = ranks.hosts().number() == 1 ? near : ranks.across(1);
        final int farPeers = ranks.farPeers();
        final int nearPeers = ranks.size() - 1 - farPeers;
        final double credits = number > call.window() ? one.receiveNs() : 0;
        final double sends = nearPeers * number * (near.send(segment) + credits) +
            farPeers * number * (one.send(segment) + credits) + (ranks.size() - 1) * one.receiveNs();
        return one.signal() + Math.max(sends + ranks.copy(call.block()), farPeers * number * one.occupied(segment)) +
            one.latencyNs() + one.receiveNs();
    }

    static double binomialGather(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        // A rank receives from the largest subtree first, and from its other children once that one has arrived.
        double others = 0;
        for (int i = 0; i < ranks.rounds(); i++)
        {
            others += (ranks.rounds() - 1 - i) * ranks.edge(i).receiveNs();
        }
        return number * (levels(ranks, segment) + others + 2 * ranks.copy(0) +
            ranks.copy((ranks.size() - 1) * segment)) + ranks.copy(call.block());
    }

    static double binomialScatter(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        return number * (levels(ranks, segment) + 2 * ranks.copy(0) +
            ranks.copy((ranks.size() - 1) * segment)) + ranks.copy(call.block());
    }

    /** Time of a binomial tree whose messages have the blocks of a subtree. */
    static double levels(final ModelledRanks ranks, final double block)
    {
        // A path has an edge for each 1 of a rank's number in binary. The longest one leads to the last rank, or to the
        // rank whose number has a 0 instead of one of the 1s of the last rank's, and only 1s below.
        final int last = ranks.size() - 1;
        double longest = 0;
        double higher = 0;
        for (int i = ranks.rounds() - 1; i >= 0; i--)
        {
            if ((last >> i & 1) == 1)
            {
                longest = Math.max(longest, higher + (i == 0 ? 0 : busy(ranks, i, block)) + ones(ranks, i, block));
                higher += ranks.edge(i).message(bytes(ranks, i, block));
            }
        }
        return Math.max(longest, higher);
    }

    /** Time of a path with an edge on each of the lowest levels. */
    private static double ones(final ModelledRanks ranks, final int levels, final double block)
    {
        double time = 0;
        for (int i = 0; i < levels; i++)
        {
            time += ranks.edge(i).message(bytes(ranks, i, block));
        }
        return time;
    }

    /** Time for which a rank or its adapter sends a message before it sends to the next child. */
    private static double busy(final ModelledRanks ranks, final int level, final double block)
    {
        return busy(ranks.edge(level), bytes(ranks, level, block));
    }

    private static double busy(final ModelLink link, final double bytes)
    {
        return Math.max(link.send(bytes), link.occupied(bytes));
    }

    /** Bytes of a message on a level of a binomial tree. */
    private static double bytes(final ModelledRanks ranks, final int level, final double block)
    {
        return Math.min(1 << level, ranks.size() - (1 << level)) * block;
    }

    static double scatterAllgather(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink next = ranks.shift(0);
        final ModelledCall ring = call.on(ranks, segment * ranks.size());
        final double steps = ranks.size() - 1;
        double scatter = 0;
        for (int i = 0; i < ranks.rounds(); i++)
        {
            scatter += busy(ranks, i, segment);
        }
        // The root sends most. Its chunks go around the ring while the others are on their way down the tree.
        final double root = scatter + steps * busy(next, segment);
        final double further = Math.max(Math.max(root, steps * RingForms.work(ring, false)),
            steps * call.creditNs(next, number * steps, segment, 0));
        // Nothing is sent to the root, so one of the ring's hops between hosts is in no path.
        final double unused = ranks.hasNear() ? next.latencyNs() - ranks.near().latencyNs() : 0;
        return next.signal() + scatter + RingForms.gather(ring) - unused + (number - 1) * further;
    }

    static double directAllreduce(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink near = ranks.near();
        final int peers = ranks.size() - 1;
        return peers * (near.sendNs() + near.receiveNs()) + near.latencyNs() +
            number * peers * (ranks.reduce(segment) + near.send(segment) + near.receiveNs()) + near.latencyNs();
    }

    static double directReduceScatter(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink near = ranks.near();
        final int peers = ranks.size() - 1;
        return 2 * (peers * (near.sendNs() + near.receiveNs()) + near.latencyNs()) +
            number * peers * ranks.reduce(segment);
    }

    static double directReduce(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink near = ranks.near();
        final int peers = ranks.size() - 1;
        return 2 * (peers * (near.sendNs() + near.receiveNs()) + near.latencyNs()) +
            number * (peers * ranks.reduce(segment) + near.send(segment) + peers * near.receiveNs()) + near.latencyNs();
    }

    static double directBroadcast(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink near = ranks.near();
        final int peers = ranks.size() - 1;
        final double read = call.bytes() - call.block();
        final double reads = call.segments(read);
        // The root announces its memory, and writes a chunk to each peer, which meanwhile copies the others.
        final double root = peers * (near.sendNs() + near.receiveNs()) + number * peers * near.send(segment);
        final double others = (peers + 1) * near.sendNs() + 2 * near.latencyNs() + near.receiveNs() +
            reads * ranks.copy(read / reads);
        return Math.max(root, others) + peers * near.receiveNs();
    }
}
