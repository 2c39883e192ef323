/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.model.WireKind;

/**
 * The algorithm for calls with a range of lengths and of numbers of ranks.
 *
 * @param collective collective of the call.
 * @param minSize    minimum number of ranks, inclusive.
 * @param maxSize    maximum number of ranks, inclusive.
 * @param range      range of buffer lengths.
 * @param algorithm  algorithm to use.
 * @param source     source of the choice, for explanations.
 * @param scope      wire and hosts that the rule applies to.
 */
record Rule(
    Collective collective, int minSize, int maxSize, ByteRange range, Algorithm algorithm, String source,
    RuleScope scope)
{
    /** No limit to the number of ranks. */
    static final int ANY = Integer.MAX_VALUE;

    boolean applies(final Collective toCollective, final HostMap hosts, final WireKind wire, final long bytes)
    {
        final int size = hosts.size();
        return collective == toCollective && minSize <= size && size <= maxSize && range.contains(bytes) &&
            (!algorithm.readsPeers() || algorithm.usesHosts() || hosts.number() == 1) && scope.isFor(hosts, wire);
    }

    /** Returns whether both rules apply to some call. */
    boolean overlaps(final Rule other)
    {
        return collective == other.collective && minSize <= other.maxSize && other.minSize <= maxSize &&
            range.overlaps(other.range) && scope.overlaps(other.scope);
    }

    @Override
    public String toString()
    {
        final String on = scope.toString().isEmpty() ? "" : ", " + scope;
        if (minSize == maxSize)
        {
            return source + " for " + range + ", " + minSize + (minSize == 1 ? " rank" : " ranks") + on;
        }
        final String from = minSize == 1 ? "" : " from " + minSize;
        final String to = maxSize == ANY ? "" : " up to " + maxSize;
        return source + " for " + range + (from.isEmpty() && to.isEmpty() ? "" : "," + from + to + " ranks") + on;
    }
}
