/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which ranks share a host. Hosts are numbered from 0 by their lowest ranks, the ranks of a host from 0 in their order.
 * Immutable; where all hosts but the last have equally many ranks, in order, it takes no memory per rank.
 */
public final class HostMap
{
    private final int size;
    private final int number;
    private final int smallest;
    private final int largest;
    /** Ranks to a host where they are in order; else 0. */
    private final int ranksPerHost;
    /** By rank, and null where ranks are in order. */
    private final int[] hostOf;
    private final int[] indexOf;
    /** By host. */
    private final int[][] ranks;

    private HostMap(final int size, final int ranksPerHost)
    {
        this.size = size;
        this.ranksPerHost = ranksPerHost;
        number = Math.ceilDiv(size, ranksPerHost);
        largest = ranksPerHost;
        smallest = size - (number - 1) * ranksPerHost;
        hostOf = null;
        indexOf = null;
        ranks = null;
    }

    private HostMap(final int[] hostOf, final int number)
    {
        size = hostOf.length;
        this.number = number;
        this.hostOf = hostOf;
        ranksPerHost = 0;
        indexOf = new int[size];
        final int[] lengths = new int[number];
        for (int rank = 0; rank < size; rank++)
        {
            indexOf[rank] = lengths[hostOf[rank]]++;
        }
        smallest = Arrays.stream(lengths).min().orElseThrow();
        largest = Arrays.stream(lengths).max().orElseThrow();
        ranks = new int[number][];
        for (int host = 0; host < number; host++)
        {
            ranks[host] = new int[lengths[host]];
        }
        for (int rank = 0; rank < size; rank++)
        {
            ranks[hostOf[rank]][indexOf[rank]] = rank;
        }
    }

    /**
     * All ranks on one host.
     *
     * @param size number of size, at least 1.
     * @return never null.
     */
    public static HostMap one(final int size)
    {
        return inOrder(size, size);
    }

    /**
     * Hosts that are filled one after the other.
     *
     * @param size         number of ranks, at least 1.
     * @param ranksPerHost number of ranks per host, at least 1; the last host may have fewer.
     * @return never null.
     */
    public static HostMap inOrder(final int size, final int ranksPerHost)
    {
        if (size < 1 || ranksPerHost < 1)
        {
            throw new IllegalArgumentException(
                "size=" + size + ", ranksPerHost=" + ranksPerHost + ": must be at least 1");
        }
        return new HostMap(size, Math.min(size, ranksPerHost));
    }

    /**
     * Any placement.
     *
     * @param hosts hosts by rank: what is equal is one host. At least one.
     * @return equal for equal placements, whatever the hosts are called.
     */
    public static HostMap of(final List<?> hosts)
    {
        final Map<Object, Integer> numbers = new HashMap<>();
        final int[] hostOf = new int[hosts.size()];
        for (int rank = 0; rank < hostOf.length; rank++)
        {
            final Integer known = numbers.putIfAbsent(hosts.get(rank), numbers.size());
            hostOf[rank] = known == null ? numbers.size() - 1 : known;
        }
        int first = 0;
        while (first < hostOf.length && hostOf[first] == 0)
        {
            first++;
        }
        final HostMap inOrder = inOrder(hostOf.length, first);
        for (int rank = 0; rank < hostOf.length; rank++)
        {
            if (hostOf[rank] != inOrder.host(rank))
            {
                return new HostMap(hostOf, numbers.size());
            }
        }
        return inOrder;
    }

    public int size()
    {
        return size;
    }

    /**
     * How many hosts there are.
     *
     * @return at least 1.
     */
    public int number()
    {
        return number;
    }

    /**
     * The host of a rank.
     *
     * @param rank rank, from 0.
     * @return from 0.
     */
    public int host(final int rank)
    {
        return hostOf == null ? rank / ranksPerHost : hostOf[rank];
    }

    /**
     * Which of its host's ranks a rank is.
     *
     * @param rank rank, from 0.
     * @return from 0.
     */
    public int index(final int rank)
    {
        return hostOf == null ? rank % ranksPerHost : indexOf[rank];
    }

    /**
     * How many ranks a host has.
     *
     * @param host index of the host, from 0.
     * @return at least 1.
     */
    public int ranks(final int host)
    {
        return hostOf == null ? Math.min(ranksPerHost, size - host * ranksPerHost) : ranks[host].length;
    }

    /**
     * A rank of a host.
     *
     * @param host  index of the host, from 0.
     * @param index index from 0, less than the host's number of ranks.
     * @return the rank.
     */
    public int rank(final int host, final int index)
    {
        return hostOf == null ? host * ranksPerHost + index : ranks[host][index];
    }

    /**
     * The fewest ranks that a host has.
     *
     * @return at least 1.
     */
    public int smallest()
    {
        return smallest;
    }

    /**
     * The most ranks that a host has.
     *
     * @return at least 1.
     */
    public int largest()
    {
        return largest;
    }

    /**
     * Whether there are several hosts, with several ranks on one at least.
     *
     * @return false if all ways between ranks are alike.
     */
    public boolean isHierarchical()
    {
        return number > 1 && largest > 1;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof final HostMap map && map.size == size && map.ranksPerHost == ranksPerHost &&
            Arrays.equals(map.hostOf, hostOf);
    }

    @Override
    public int hashCode()
    {
        return 31 * (31 * size + ranksPerHost) + Arrays.hashCode(hostOf);
    }

    /** Such as {@code 4 hosts of 8}, or, by rank, {@code hosts 0 0 1 2 1}. */
    @Override
    public String toString()
    {
        if (hostOf == null)
        {
            return number == 1 ? "1 host" : number + " hosts of " + ranksPerHost +
                (smallest < ranksPerHost ? ", the last of " + smallest : "");
        }
        final StringBuilder text = new StringBuilder("hosts");
        for (final int host : hostOf)
        {
            text.append(' ').append(host);
        }
        return text.toString();
    }
}
