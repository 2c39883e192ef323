/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.stream.IntStream;

/**
 * A binomial tree of hosts, and below the one rank of each that is in it, its leader, a binomial tree of the host's
 * other ranks: every edge but one per host stays in a host. The leader is the root, at its host, else the host's lowest
 * rank.
 *
 * @param hosts ranks that share a host.
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

    /** Those on other hosts come first, as they take longer. */
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
     * The most ranks that one has below it.
     *
     * @return from 0: those of a root on the largest host.
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
