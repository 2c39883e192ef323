/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Flat tree of hosts, in which one rank represents each host: the host's leader. All other ranks of a host are children
 * of its leader, as messages within a host take little time; the leaders form a k-nomial tree of radix 8, so that up to
 * eight hosts send to the root directly. The root is the leader of its host; the leader of any other host is the lowest
 * rank there. Immutable.
 */
public final class HostFanTree implements PreorderTree
{
    private static final int RADIX = 8;

    private final HostMap hosts;
    private final int root;
    private final KnomialTree between;
    /** By position of a host in the tree of hosts: the position of its leader; the last is the number of ranks. */
    private final int[] starts;

    /**
     * Creates a tree.
     *
     * @param hosts placement of the ranks.
     * @param root  root rank, from 0.
     */
    public HostFanTree(final HostMap hosts, final int root)
    {
        this.hosts = hosts;
        this.root = root;
        between = new KnomialTree(hosts.number(), hosts.host(root), RADIX);
        starts = new int[hosts.number() + 1];
        for (int i = 0; i < hosts.number(); i++)
        {
            starts[i + 1] = starts[i] + hosts.ranks(between.rankAt(i));
        }
    }

    @Override
    public int parent(final int rank)
    {
        final int host = hosts.host(rank);
        if (rank != leader(host))
        {
            return leader(host);
        }
        final int above = between.parent(host);
        return above == NONE ? NONE : leader(above);
    }

    /** Children on other hosts come first, because messages to them take longer. */
    @Override
    public int[] children(final int rank)
    {
        final int host = hosts.host(rank);
        return rank != leader(host) ? new int[0] : IntStream.concat(
            IntStream.of(between.children(host)).map(this::leader),
            IntStream.range(1, hosts.ranks(host)).map((offset) -> rankOn(host, offset))).toArray();
    }

    /** The ranks of a host follow its leader, wrapping around; the hosts below the leader's host come next. */
    @Override
    public int position(final int rank)
    {
        final int host = hosts.host(rank);
        return starts[between.position(host)] +
            Math.floorMod(hosts.index(rank) - hosts.index(leader(host)), hosts.ranks(host));
    }

    @Override
    public int rankAt(final int position)
    {
        final int found = Arrays.binarySearch(starts, position);
        final int host = found < 0 ? -found - 2 : found;
        return rankOn(between.rankAt(host), position - starts[host]);
    }

    @Override
    public int span(final int rank)
    {
        final int host = hosts.host(rank);
        final int first = between.position(host);
        return rank == leader(host) ? starts[first + between.span(host)] - starts[first] : 1;
    }

    private int rankOn(final int host, final int offset)
    {
        return hosts.rank(host, (hosts.index(leader(host)) + offset) % hosts.ranks(host));
    }

    private int leader(final int host)
    {
        return host == hosts.host(root) ? root : hosts.rank(host, 0);
    }
}
