/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.tutti.launcher.io.UsageException;

/**
 * Parses lists of hosts, such as {@code node0:2,node1}. The default is one slot; the slots of a repeated host add up.
 */
public final class HostList
{
    private HostList()
    {
    }

    /**
     * Reads the list of {@code --host}.
     *
     * @param list the hosts, separated by commas.
     * @return the hosts with their slots, each host once.
     * @throws UsageException if an entry is invalid; the message names the entry.
     */
    public static List<HostSlots> parse(final String list)
    {
        final List<HostSlots> hosts = new ArrayList<>();
        for (final String entry : list.split(",", -1))
        {
            hosts.add(host(entry.strip(), "--host '" + list + "'"));
        }
        return merged(hosts);
    }

    /** Returns whether an entry of {@link #host} contains a number of slots. */
    static boolean hasSlots(final String entry)
    {
        return colon(entry) >= 0;
    }

    /** Returns the index of the colon before the number of slots, or -1. */
    private static int colon(final String entry)
    {
        final int bracket = entry.startsWith("[") ? entry.indexOf(']') : -1;
        final int colon = entry.indexOf(':', Math.max(0, bracket));
        return bracket >= 0 || entry.indexOf(':', colon + 1) < 0 ? colon : -1;
    }

    /** Parses one entry. An IPv6 address needs brackets if a number of slots follows. */
    static HostSlots host(final String entry, final String where)
    {
        final int bracket = entry.startsWith("[") ? entry.indexOf(']') : -1;
        final int colon = colon(entry);
        final String end = colon >= 0 ? entry.substring(0, colon) : entry;
        final String name = bracket >= 0 && end.length() == bracket + 1 ? end.substring(1, bracket) : end;
        if (name.isEmpty())
        {
            throw new UsageException(where + ": empty host name: give NAME:SLOTS, separated by commas");
        }
        if (!name.matches("[A-Za-z0-9_@%:.][A-Za-z0-9_@%:.-]*"))
        {
            throw new UsageException(where + ": '" + name + "' is not a valid host name");
        }
        return new HostSlots(name, colon >= 0 ? slots(entry.substring(colon + 1), where) : 1);
    }

    /** Parses a number of slots. */
    static int slots(final String text, final String where)
    {
        try
        {
            final int slots = Integer.parseInt(text);
            if (slots >= 1 && slots <= RankPlacement.MAX_RANKS)
            {
                return slots;
            }
        }
        catch (final NumberFormatException ex)
        {
            throw badSlots(text, where);
        }
        throw badSlots(text, where);
    }

    private static UsageException badSlots(final String text, final String where)
    {
        return new UsageException(
            where + ": '" + text + "' is not a valid number of slots: give 1 to " + RankPlacement.MAX_RANKS);
    }

    /** Adds up the slots of repeated hosts. */
    static List<HostSlots> merged(final List<HostSlots> hosts)
    {
        final Map<String, Integer> slots = new LinkedHashMap<>();
        hosts.forEach(host -> slots.merge(host.name(), host.slots(), Integer::sum));
        final List<HostSlots> result = new ArrayList<>();
        slots.forEach((name, count) -> result.add(new HostSlots(name, count)));
        return result;
    }
}
