/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;

/**
 * The algorithm for calls with a range of lengths and of numbers of ranks.
 *
 * @param collective collective of the call.
 * @param minSize    minimum number of ranks, inclusive.
 * @param maxSize    maximum number of ranks, inclusive.
 * @param range      range of buffer lengths.
 * @param algorithm  algorithm to use.
 * @param source     source of the choice, for explanations.
 * @param placement  placements of ranks that the rule applies to.
 */
record Rule(
    Collective collective, int minSize, int maxSize, ByteRange range, Algorithm algorithm, String source,
    Placement placement)
{
    /** No limit to the number of ranks. */
    static final int ANY = Integer.MAX_VALUE;

    /** Placements of ranks that a rule can apply to. */
    enum Placement
    {
        /** Any placement. */
        ANY,
        /** All ranks on one host. */
        ONE_HOST,
        /** Several hosts, at least one of them with several ranks. */
        HIERARCHICAL,
        /** As HIERARCHICAL, with more than half as many ranks on each host as on the largest. */
        EVEN
    }

    boolean applies(final Collective toCollective, final HostMap hosts, final long bytes)
    {
        final int size = hosts.size();
        return collective == toCollective && minSize <= size && size <= maxSize && range.contains(bytes) &&
            (!algorithm.readsPeers() || hosts.number() == 1) && isFor(hosts);
    }

    private boolean isFor(final HostMap hosts)
    {
        return switch (placement)
        {
            case ANY -> true;
            case ONE_HOST -> hosts.number() == 1;
            case HIERARCHICAL -> hosts.isHierarchical();
            case EVEN -> hosts.isHierarchical() && 2 * hosts.smallest() > hosts.largest();
        };
    }

    /** Returns whether both rules apply to some call. */
    boolean overlaps(final Rule other)
    {
        return collective == other.collective && minSize <= other.maxSize && other.minSize <= maxSize &&
            range.overlaps(other.range);
    }

    @Override
    public String toString()
    {
        if (placement == Placement.HIERARCHICAL || placement == Placement.EVEN)
        {
            return source + " for " + range + ", several hosts with several ranks" +
                (placement == Placement.EVEN ? ", evenly distributed" : "");
        }
        final String where = placement == Placement.ONE_HOST ? " on one host" : "";
        if (minSize == maxSize)
        {
            return source + " for " + range + ", " + minSize + (minSize == 1 ? " rank" : " ranks") + where;
        }
        final String from = minSize == 1 ? "" : " from " + minSize;
        final String to = maxSize == ANY ? "" : " up to " + maxSize;
        return source + " for " + range + (from.isEmpty() && to.isEmpty() ? "" : "," + from + to + " ranks") + where;
    }
}
