/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.pattern.HostMap;

/**
 * Which ranks share a host, and what is between hosts: {@code flat}, {@code fat-tree:K}, {@code fat-tree:K,O},
 * {@code host}, {@code hosts:N}, {@code hosts:N+fat-tree:K,O}. Ranks are placed in order, N to a host. Immutable.
 */
public final class Topology
{
    private static final String FORMS =
        "flat, fat-tree:PORTS, fat-tree:PORTS,OVERSUBSCRIPTION, host, hosts:RANKS, or hosts:RANKS+fat-tree:PORTS";

    private final String text;
    private final int ranksPerHost;
    private final HostNetwork network;

    private Topology(final String text, final int ranksPerHost, final HostNetwork network)
    {
        this.text = text;
        this.ranksPerHost = ranksPerHost;
        this.network = network;
    }

    /**
     * Reads a topology.
     *
     * @param text text as people write it.
     * @param size number of ranks.
     * @return where they are.
     * @throws IllegalArgumentException if it is none, or has no room for so many.
     */
    public static Topology parse(final String text, final int size)
    {
        int ranksPerHost = 1;
        String rest = text;
        if (text.equals("host"))
        {
            ranksPerHost = size;
            rest = "flat";
        }
        else if (text.startsWith("hosts:"))
        {
            final int plus = text.indexOf('+');
            ranksPerHost = (int)number(text, text.substring(6, plus < 0 ? text.length() : plus), 1 << 20);
            rest = plus < 0 ? "flat" : text.substring(plus + 1);
        }
        final int hosts = Math.ceilDiv(size, ranksPerHost);
        final HostNetwork network = network(text, rest, hosts);
        if (hosts > network.capacity())
        {
            throw new IllegalArgumentException("\"" + text + "\" has room for " + network.capacity() +
                " hosts, not for the " + hosts + " of " + size + " ranks: give switches more ports, or hosts more " +
                "ranks (hosts:8+" + rest + ")");
        }
        return new Topology(text, ranksPerHost, network);
    }

    private static HostNetwork network(final String text, final String rest, final int hosts)
    {
        if (rest.equals("flat"))
        {
            return new FlatNetwork(hosts);
        }
        if (rest.startsWith("fat-tree:"))
        {
            final String[] parts = rest.substring(9).split(",", -1);
            if (parts.length <= 2)
            {
                final int ports = (int)number(text, parts[0], 1024);
                return FatTree.of(ports, parts.length == 1 ? 1 : number(text, parts[1], 1024), hosts);
            }
        }
        throw wrong(text, null);
    }

    private static double number(final String text, final String part, final int max)
    {
        try
        {
            final double number = Double.parseDouble(part);
            if (number >= 1 && number <= max)
            {
                return number;
            }
        }
        catch (final NumberFormatException ex)
        {
            throw wrong(text, ex);
        }
        throw new IllegalArgumentException("\"" + text + "\": " + part + " must be from 1 to " + max);
    }

    private static IllegalArgumentException wrong(final String text, final Exception cause)
    {
        return new IllegalArgumentException("\"" + text + "\" is no topology: give " + FORMS, cause);
    }

    /**
     * How many ranks share a host.
     *
     * @return at least 1.
     */
    public int ranksPerHost()
    {
        return ranksPerHost;
    }

    /**
     * Which ranks share a host.
     *
     * @param size number of ranks.
     * @return their hosts.
     */
    public HostMap hosts(final int size)
    {
        return HostMap.inOrder(size, ranksPerHost);
    }

    /** The rotation of ranks that changes nothing, where ranks fill what they are placed in: a number of ranks. */
    long period()
    {
        return (long)ranksPerHost * network.period();
    }

    /** The same with the links of only some ranks kept: all, or a multiple of the period. */
    Topology folded(final int ranks)
    {
        return new Topology(text, ranksPerHost, network.folded(Math.ceilDiv(ranks, ranksPerHost)));
    }

    int links()
    {
        return network.links();
    }

    boolean isSameHost(final int rank, final int other)
    {
        return rank / ranksPerHost == other / ranksPerHost;
    }

    void route(final int from, final int to, final Route route)
    {
        network.route(from / ranksPerHost, to / ranksPerHost, route);
    }

    /**
     * Describes it.
     *
     * @return for people: what there is, in words.
     */
    public String description()
    {
        return (ranksPerHost == 1 ? "one rank" : ranksPerHost + " ranks") + " a host, " + network;
    }

    @Override
    public String toString()
    {
        return text;
    }
}
