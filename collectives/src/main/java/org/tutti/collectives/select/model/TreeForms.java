/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

/**
 * Times of trees and chains, through which segments are pipelined: the time of the first segment, plus the time between
 * two segments at the busiest rank for each further one. Trees: Thakur, Rabenseifner and Gropp 2005,
 * doi:10.1177/1094342005051521; chains: Pješivac-Grbović et al., <i>Performance analysis of MPI collective
 * operations</i>, Cluster Computing 10(2), 2007, doi:10.1007/s10586-007-0012-0; two trees: Sanders, Speck and Träff,
 * Parallel Computing 35(12), 2009, doi:10.1016/j.parco.2009.09.001.
 */
final class TreeForms
{
    private TreeForms()
    {
    }

    static double binomialBroadcast(final ModelledCall call)
    {
        return broadcast(call, 2);
    }

    static double knomial4Broadcast(final ModelledCall call)
    {
        return broadcast(call, 4);
    }

    /** Broadcast down a k-nomial tree: a rank sends to {@code degree - 1} others on each level. */
    private static double broadcast(final ModelledCall call, final int degree)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.bytes());
        final double segment = call.bytes() / number;
        final TreeLinks tree = ranks.knomial(degree);
        double first = number == 1 ? ranks.copy(segment) : ranks.edge(0).signal();
        double work = 0;
        double occupied = 0;
        double credit = 0;
        int level = 0;
        for (int distance = 1; distance < ranks.size(); distance *= degree)
        {
            final int children = Math.min(degree - 1, Math.ceilDiv(ranks.size(), distance) - 1);
            final boolean isDeepest = isDeepest(ranks, distance, degree);
            double sends = 0;
            double before = 0;
            double slowest = 0;
            for (int child = 1; child <= children; child++)
            {
                final ModelLink link = tree.link(level, child);
                sends += link.send(segment);
                // A tree that is not full is one message less deep than it is wide.
                slowest = Math.max(slowest, Math.max(sends, before + link.send(segment)) +
                    (isDeepest ? 0 : link.flight(segment) + link.receiveNs()));
                before += link.occupied(segment);
                work += link.receiveNs();
                credit = Math.max(credit, call.creditNs(link, number, segment, 0));
            }
            first += slowest;
            work += sends;
            occupied += before;
            level++;
        }
        return first + (number - 1) * Math.max(Math.max(work, busiest(ranks, tree, segment, occupied)), credit);
    }

    /**
     * Time for which the busiest adapter sends or receives a message along each edge.
     *
     * @param ofRank that of the busiest rank, if each has an adapter of its own.
     */
    private static double busiest(
        final ModelledRanks ranks, final TreeLinks tree, final double bytes, final double ofRank)
    {
        return tree.oneWay() == 0 ? ofRank : tree.oneWay() * ranks.across(1).occupied(bytes);
    }

    /**
     * Whether no path from the root of a k-nomial tree has an edge on every level, where {@code distance} is that of
     * the highest level: the first rank with such a path would be the one whose digits to base k are all 1.
     */
    private static boolean isDeepest(final ModelledRanks ranks, final int distance, final int degree)
    {
        return ranks.size() <= ((long)degree * distance - 1) / (degree - 1);
    }

    static double chainBroadcast(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        return ranks.shift(0).signal() + chain(call, false) +
            (ranks.size() - 2) * (ranks.crossing() * ranks.shift(0).receiveNs() +
            (1 - ranks.crossing()) * ranks.near().receiveNs());
    }

    static double chainReduce(final ModelledCall call)
    {
        return chain(call, true);
    }

    static double chainScan(final ModelledCall call)
    {
        return chain(call, true);
    }

    /** As {@link #chainScan}, but inner ranks also copy each segment to OUTPUT once they have sent its sum on. */
    static double chainExscan(final ModelledCall call)
    {
        return chain(call, true) + (call.size() > 2 ? call.ranks().copy(call.bytes()) : 0);
    }

    private static double chain(final ModelledCall call, final boolean isReduced)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.bytes());
        final double segment = call.bytes() / number;
        final ModelLink near = ranks.near();
        final ModelLink far = ranks.shift(0);
        final double local = isReduced ? ranks.reduce(segment) : 0;
        final double hop = (1 - ranks.crossing()) * near.message(segment) + ranks.crossing() * far.message(segment) +
            local;
        final double credit = number > call.window() ? far.sendNs() + far.receiveNs() : 0;
        final double farWork = far.send(segment) + far.receiveNs() + local + credit;
        final double nearWork = ranks.hasNear() ? near.send(segment) + near.receiveNs() + local + credit : 0;
        final double busiest = Math.max(Math.max(nearWork, farWork), far.occupied(segment));
        return (ranks.size() - 1) * (hop + credit / 2) +
            (number - 1) * Math.max(busiest, call.creditNs(far, number, segment, local));
    }

    static double binomialReduce(final ModelledCall call)
    {
        return reduce(call, 2, true);
    }

    static double inOrderBinomialReduce(final ModelledCall call)
    {
        return reduce(call, 2, false);
    }

    static double knomial4Reduce(final ModelledCall call)
    {
        return reduce(call, 4, true);
    }

    /**
     * Reduction up a k-nomial tree.
     *
     * @param isDeepestFirst whether a rank receives from the largest subtree first, and so reduces all other operands
     *                       after that one has arrived.
     */
    private static double reduce(final ModelledCall call, final int degree, final boolean isDeepestFirst)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.bytes());
        final double segment = call.bytes() / number;
        final TreeLinks tree = ranks.knomial(degree);
        double first = 0;
        double work = 0;
        double occupied = 0;
        double credit = 0;
        int level = 0;
        for (int distance = 1; distance < ranks.size(); distance *= degree)
        {
            final int children = Math.min(degree - 1, Math.ceilDiv(ranks.size(), distance) - 1);
            final boolean isDeepest = isDeepest(ranks, distance, degree);
            double receives = 0;
            double credits = 0;
            double before = 0;
            double slowest = 0;
            for (int child = 1; child <= children; child++)
            {
                final ModelLink link = tree.link(level, child);
                final double receive = link.receiveNs() + ranks.reduce(segment);
                receives += receive;
                credits += link.sendNs();
                slowest = Math.max(slowest, (isDeepest ? 0 : link.send(segment) + link.flight(segment)) +
                    Math.max(receives, before + receive));
                credit = Math.max(credit, call.creditNs(link, number, segment, receive));
                before += link.occupied(segment);
            }
            first += slowest + (isDeepestFirst ? work : 0);
            work += receives + (number > call.window() ? credits : 0);
            occupied += before;
            level++;
        }
        return first + (number - 1) * Math.max(Math.max(work, busiest(ranks, tree, segment, occupied)), credit);
    }

    /** Reduction up a binary tree in which each rank has up to two children. */
    static double inOrderTreeReduce(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.bytes());
        final double segment = call.bytes() / number;
        double first = 0;
        final TreeLinks tree = ranks.binary();
        for (int i = 0; 1 << i < ranks.size(); i++)
        {
            first += tree.link(i, 1).message(segment) + (i == 0 ? 1 : 2) * ranks.reduce(segment);
        }
        final ModelLink link = tree.link(ranks.rounds() - 1, 1);
        final int children = Math.min(2, ranks.size() - 1);
        final double work = children * (link.receiveNs() + ranks.reduce(segment)) + link.send(segment) +
            (number > call.window() ? children * link.sendNs() + link.receiveNs() : 0);
        final double busiest = busiest(ranks, tree, segment, children * link.occupied(segment));
        return first + (number - 1) *
            Math.max(Math.max(work, busiest), call.creditNs(link, number, segment, ranks.reduce(segment)));
    }

    /** Broadcast down a binomial tree of hosts, then down one of each host's ranks. */
    static double broadcastAcross(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.bytes());
        final double segment = call.bytes() / number;
        final ModelLink near = ranks.near();
        final ModelLink far = ranks.across(1);
        final int inside = ModelledRanks.log2(ranks.hosts().largest());
        final int across = ModelledRanks.log2(ranks.hosts().number());
        final double first = (number == 1 ? ranks.copy(segment) : far.signal()) +
            deepest(ranks.hosts().number()) * far.message(segment) +
            deepest(ranks.hosts().largest()) * near.message(segment);
        final double work = across * (far.send(segment) + far.receiveNs()) +
            inside * (near.send(segment) + near.receiveNs());
        return first + (number - 1) * Math.max(
            Math.max(work, across * far.occupied(segment)), call.creditNs(far, number, segment, 0));
    }

    /** Depth of a binomial tree. */
    private static int deepest(final int ranks)
    {
        return 31 - Integer.numberOfLeadingZeros(ranks);
    }

    /** Reduction up a binomial tree of each host's ranks, then up one of hosts. */
    static double reduceAcross(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.bytes());
        final double segment = call.bytes() / number;
        final ModelLink far = ranks.across(1);
        final int inside = ModelledRanks.log2(ranks.hosts().largest());
        final int across = ModelledRanks.log2(ranks.hosts().number());
        double first = 0;
        double work = 0;
        for (int i = 0; i < inside + across; i++)
        {
            final ModelLink link = i < inside ? ranks.near() : far;
            final boolean isDeep = i < inside ? i < deepest(ranks.hosts().largest()) :
                i - inside < deepest(ranks.hosts().number());
            final double receives = link.receiveNs() + ranks.reduce(segment);
            first += (isDeep ? link.send(segment) + link.flight(segment) : 0) + work + receives;
            work += receives + (number > call.window() ? link.sendNs() : 0);
        }
        return first + (number - 1) * Math.max(
            Math.max(work, across * far.occupied(segment)),
            call.creditNs(far, number, segment, ranks.reduce(segment)));
    }

    /**
     * Two binary trees, each for a half of the data. In a round, a rank that is an inner one of a tree, and a leaf of
     * the other, sends four messages: a segment of each half up, and one to each of two children.
     */
    static double doubleBinaryTree(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.bytes() / 2);
        final double segment = call.bytes() / 2 / number;
        // Two or three ranks form chains.
        final int children = ranks.size() > 3 ? 2 : 1;
        double first = 0;
        double slowest = 0;
        double credit = 0;
        double occupiedBelow = 0;
        for (int i = 0; 1 << i < ranks.size(); i++)
        {
            final ModelLink link = ranks.binary().link(i, 1);
            final double hop = link.message(segment) + ranks.reduce(segment);
            final double second = i == 0 ? 0 : 2 * Math.min(link.occupied(segment), occupiedBelow) +
                ranks.reduce(segment);
            first += link.message(segment) + hop + link.send(segment) + link.receiveNs() + (children - 1) * second;
            slowest = Math.max(slowest, hop);
            credit = Math.max(credit, call.creditNs(link, number, segment, ranks.reduce(segment)));
            occupiedBelow = link.occupied(segment);
        }
        final ModelLink link = ranks.binary().link(ranks.rounds() - 1, 1);
        final int messages = Math.min(4, ranks.size());
        final double creditWork = number > call.window() ? link.sendNs() + link.receiveNs() : 0;
        final double work = messages * (link.send(segment) + link.receiveNs() + creditWork) +
            Math.min(2, ranks.size() - 1) * ranks.reduce(segment);
        final double adapter = ranks.binary().bothWays() == 0 ? messages * link.occupied(segment) :
            ranks.binary().bothWays() * ranks.across(1).occupied(segment);
        final double waits = Math.ceil(number / call.halfWindow()) - 1;
        return first + Math.max(waits * slowest, (number - 1) * Math.max(Math.max(work, adapter), credit));
    }
}
