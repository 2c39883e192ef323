/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.pattern.HostMap;

/**
 * Placement of ranks on hosts, and the network between hosts: {@code flat}, {@code fat-tree:K}, {@code fat-tree:K,O},
 * {@code host}, {@code hosts:N}, {@code hosts:N+fat-tree:K,O}. K is the number of ports of a switch, O the
 * oversubscription, and N the number of ranks per host; ranks are placed on hosts in order. Immutable.
 */
public final class Topology
{
    private static final String FORMS =
        "flat, fat-tree:PORTS[,OVERSUBSCRIPTION], host, hosts:RANKS, or hosts:RANKS+fat-tree:PORTS[,OVERSUBSCRIPTION]";

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
     * Parses a topology.
     *
     * @param text text such as {@code hosts:8+fat-tree:16}.
     * @param size number of ranks.
     * @return the topology.
     * @throws IllegalArgumentException if the text is no topology, or the topology is too small.
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
            throw new IllegalArgumentException("\"" + text + "\" has " + network.capacity() +
                " hosts, fewer than the " + hosts + " of " + size + " ranks: use switches with more ports, or more " +
                "ranks per host (hosts:8+" + rest + ")");
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
        return new IllegalArgumentException("\"" + text + "\" is not a topology: must be " + FORMS, cause);
    }

    /**
     * Number of ranks per host.
     *
     * @return number of ranks, at least 1.
     */
    public int ranksPerHost()
    {
        return ranksPerHost;
    }

    /**
     * Placement of ranks on hosts.
     *
     * @param size number of ranks.
     * @return map from ranks to hosts.
     */
    public HostMap hosts(final int size)
    {
        return HostMap.inOrder(size, ranksPerHost);
    }

    /** Rotation, as a number of ranks, under which the topology is symmetric if ranks fill it evenly. */
    long period()
    {
        return (long)ranksPerHost * network.period();
    }

    /**
     * This topology with the links of only {@code ranks} ranks kept: of all ranks, or of a multiple of the period.
     */
    Topology folded(final int ranks)
    {
        return new Topology(text, ranksPerHost, network.folded(Math.ceilDiv(ranks, ranksPerHost)));
    }

    int links()
    {
        return network.links();
    }

    /** Whether all pairs of ranks have equal paths, which meet only at the ranks: one rank per host, or one host. */
    boolean isUniform(final int size)
    {
        return network instanceof FlatNetwork && (ranksPerHost == 1 || ranksPerHost >= size);
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
     * Describes the topology.
     *
     * @return text for users.
     */
    public String description()
    {
        return (ranksPerHost == 1 ? "one rank" : ranksPerHost + " ranks") + " per host, " + network;
    }

    @Override
    public String toString()
    {
        return text;
    }
}
