/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.select.model.WireKind;

import java.util.ArrayList;
import java.util.List;

/**
 * Wire and placement of ranks that a measurement is for. In a table: {@code wire=tcp hosts=4 ranks-per-host=8}, of
 * which each part may be missing.
 *
 * @param wire         wire between hosts or, if there is one host, within it; null for any.
 * @param hosts        number of hosts, or 0 for any.
 * @param ranksPerHost number of ranks of the largest host, or 0 for any.
 */
public record RuleScope(WireKind wire, int hosts, int ranksPerHost)
{
    /** Any wire and placement. */
    public static final RuleScope ANY = new RuleScope(null, 0, 0);

    private static final String WIRE = "wire";
    private static final String HOSTS = "hosts";
    private static final String RANKS_PER_HOST = "ranks-per-host";

    /**
     * Returns the wire and placement of ranks.
     *
     * @param hosts hosts of the ranks.
     * @param wire  wire between hosts or, if there is one host, within it.
     * @return wire and placement with all parts.
     */
    public static RuleScope of(final HostMap hosts, final WireKind wire)
    {
        return new RuleScope(wire, hosts.number(), hosts.largest());
    }

    /**
     * Parses the parts of a line.
     *
     * @param parts parts such as {@code hosts=4}; may be empty.
     * @throws IllegalArgumentException if a part is unknown, has an invalid value, or occurs twice.
     */
    static RuleScope parse(final List<String> parts)
    {
        WireKind wire = null;
        int hosts = 0;
        int ranksPerHost = 0;
        for (final String part : parts)
        {
            final int equals = part.indexOf('=');
            final String key = equals < 0 ? part : part.substring(0, equals);
            final String value = part.substring(equals + 1);
            if (equals > 0 && key.equals(WIRE) && wire == null)
            {
                wire = WireKind.named(value);
            }
            else if (equals > 0 && key.equals(HOSTS) && hosts == 0)
            {
                hosts = number(part, value);
            }
            else if (equals > 0 && key.equals(RANKS_PER_HOST) && ranksPerHost == 0)
            {
                ranksPerHost = number(part, value);
            }
            else
            {
                throw new IllegalArgumentException("\"" + part +
                    "\" must be wire=NAME, hosts=N or ranks-per-host=N, each at most once");
            }
        }
        return new RuleScope(wire, hosts, ranksPerHost);
    }

    private static int number(final String part, final String value)
    {
        final int number = value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : 0;
        if (number < 1)
        {
            throw new IllegalArgumentException("\"" + part + "\" must be a number from 1 to 999999999");
        }
        return number;
    }

    boolean isFor(final HostMap map, final WireKind used)
    {
        return (wire == null || wire == used) && (hosts == 0 || hosts == map.number()) &&
            (ranksPerHost == 0 || ranksPerHost == map.largest());
    }

    boolean overlaps(final RuleScope other)
    {
        return (wire == null || other.wire == null || wire == other.wire) &&
            (hosts == 0 || other.hosts == 0 || hosts == other.hosts) &&
            (ranksPerHost == 0 || other.ranksPerHost == 0 || ranksPerHost == other.ranksPerHost);
    }

    /** Returns the form in a table; empty if all parts are missing. */
    @Override
    public String toString()
    {
        final List<String> parts = new ArrayList<>();
        if (wire != null)
        {
            parts.add(WIRE + "=" + wire.label());
        }
        if (hosts > 0)
        {
            parts.add(HOSTS + "=" + hosts);
        }
        if (ranksPerHost > 0)
        {
            parts.add(RANKS_PER_HOST + "=" + ranksPerHost);
        }
        return String.join(" ", parts);
    }
}
