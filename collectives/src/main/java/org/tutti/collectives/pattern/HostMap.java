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
 * Placement of ranks on hosts. Hosts are numbered from 0 by their lowest ranks; the ranks of a host are indexed from 0
 * in rank order. Immutable. Needs no memory per rank if hosts are filled in rank order, all but the last equally.
 */
public final class HostMap
{
    private final int size;
    private final int number;
    private final int smallest;
    private final int largest;
    /** Ranks per host if hosts are filled in rank order, else 0. */
    private final int ranksPerHost;
    /** Host of each rank; null if hosts are filled in rank order. */
    private final int[] hostOf;
    private final int[] indexOf;
    /** Ranks by host, then by index on the host; null if hosts are filled in rank order. */
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
     * Returns a map with all ranks on one host.
     *
     * @param size number of ranks, at least 1.
     * @return the map, never null.
     */
    public static HostMap one(final int size)
    {
        return inOrder(size, size);
    }

    /**
     * Returns a map of hosts that are filled in rank order.
     *
     * @param size         number of ranks, at least 1.
     * @param ranksPerHost number of ranks per host, at least 1; the last host may have fewer.
     * @return the map, never null.
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
     * Returns a map of any placement.
     *
     * @param hosts host of each rank, at least one; equal objects are one host.
     * @return the map; equal for equal placements, regardless of the objects that identify the hosts.
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
     * Returns the number of hosts.
     *
     * @return hosts, at least 1.
     */
    public int number()
    {
        return number;
    }

    /**
     * Returns the host of a rank.
     *
     * @param rank rank, from 0.
     * @return host, from 0.
     */
    public int host(final int rank)
    {
        return hostOf == null ? rank / ranksPerHost : hostOf[rank];
    }

    /**
     * Returns the index of a rank among the ranks of its host.
     *
     * @param rank rank, from 0.
     * @return index, from 0.
     */
    public int index(final int rank)
    {
        return hostOf == null ? rank % ranksPerHost : indexOf[rank];
    }

    /**
     * Returns the number of ranks of a host.
     *
     * @param host host, from 0.
     * @return number of ranks, at least 1.
     */
    public int ranks(final int host)
    {
        return hostOf == null ? Math.min(ranksPerHost, size - host * ranksPerHost) : ranks[host].length;
    }

    /**
     * Returns the rank with an index on a host.
     *
     * @param host  host, from 0.
     * @param index index from 0, less than the host's number of ranks.
     * @return the rank.
     */
    public int rank(final int host, final int index)
    {
        return hostOf == null ? host * ranksPerHost + index : ranks[host][index];
    }

    /**
     * Returns the smallest number of ranks of a host.
     *
     * @return number of ranks, at least 1.
     */
    public int smallest()
    {
        return smallest;
    }

    /**
     * Returns the largest number of ranks of a host.
     *
     * @return number of ranks, at least 1.
     */
    public int largest()
    {
        return largest;
    }

    /**
     * Whether there are several hosts, of which one at least has several ranks.
     *
     * @return false if all pairs of ranks have the same kind of path.
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

    /** Returns a text such as {@code 4 hosts of 8} or, by rank, {@code hosts 0 0 1 2 1}. */
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
