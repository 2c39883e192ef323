/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.stream.IntStream;

/**
 * Binomial tree of hosts, in which one rank represents each host: the host's leader. Each leader is the root of a
 * binomial tree of the ranks on its host, so one edge enters each host but that of the root. The root is the leader of
 * its host; the leader of any other host is the lowest rank there.
 *
 * @param hosts placement of the ranks.
 * @param root  root rank, from 0.
 */
public record HostTree(HostMap hosts, int root) implements Tree
{
    @Override
    public int parent(final int rank)
    {
        final int host = hosts.host(rank);
        if (rank != leader(host))
        {
            return hosts.rank(host, within(host).parent(hosts.index(rank)));
        }
        final int above = between().parent(host);
        return above == NONE ? NONE : leader(above);
    }

    /** Children on other hosts come first, because messages to them take longer. */
    @Override
    public int[] children(final int rank)
    {
        final int host = hosts.host(rank);
        final IntStream near =
            IntStream.of(within(host).children(hosts.index(rank))).map((index) -> hosts.rank(host, index));
        return rank == leader(host) ?
            IntStream.concat(IntStream.of(between().children(host)).map(this::leader), near).toArray() :
            near.toArray();
    }

    /**
     * Returns an upper bound of the number of children of a rank.
     *
     * @return children, from 0: those of a root on the largest host.
     */
    public int maxChildren()
    {
        return between().children(hosts.host(root)).length +
            KnomialTree.binomial(hosts.largest(), 0).children(0).length;
    }

    private int leader(final int host)
    {
        return host == hosts.host(root) ? root : hosts.rank(host, 0);
    }

    private Tree between()
    {
        return KnomialTree.binomial(hosts.number(), hosts.host(root));
    }

    private Tree within(final int host)
    {
        return KnomialTree.binomial(hosts.ranks(host), hosts.index(leader(host)));
    }
}
