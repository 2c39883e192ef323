/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.tutti.launcher.io.UsageException;

/**
 * Parses lists of hosts: {@code node0:2,node1} on the command line, and one host per line in a file, {@code node0
 * slots=2} or {@code node0:2}. The default is one slot; the slots of a repeated host add up.
 */
public final class HostList
{
    private static final String SLOTS = "slots=";

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

    /**
     * Reads the file of {@code --hostfile}: '#' starts a comment, empty lines are ignored.
     *
     * @param file the path of the file.
     * @return the hosts with their slots, each host once.
     * @throws UsageException if the file or a line is invalid; the message names the file and the line.
     */
    public static List<HostSlots> read(final Path file)
    {
        final List<HostSlots> hosts = new ArrayList<>();
        int number = 0;
        for (final String line : lines(file))
        {
            number++;
            final String text = line.split("#", 2)[0].strip();
            if (!text.isEmpty())
            {
                hosts.add(line(text, "--hostfile " + file + ", line " + number));
            }
        }
        if (hosts.isEmpty())
        {
            throw new UsageException("--hostfile " + file + " contains no hosts: give lines such as 'node0 slots=2'");
        }
        return merged(hosts);
    }

    private static List<String> lines(final Path file)
    {
        try
        {
            return Files.readAllLines(file);
        }
        catch (final CharacterCodingException ex)
        {
            throw new UsageException("--hostfile " + file + " is not a text file: give lines such as 'node0 slots=2'");
        }
        catch (final IOException ex)
        {
            throw new UsageException("cannot read --hostfile " + file + " (" + ex +
                "): give a file with lines such as 'node0 slots=2'");
        }
    }

    private static HostSlots line(final String text, final String where)
    {
        final String[] words = text.split("\\s+", -1);
        final HostSlots host = host(words[0], where);
        if (words.length == 1)
        {
            return host;
        }
        if (words.length > 2 || !words[1].startsWith(SLOTS))
        {
            throw new UsageException(where + ": '" + words[words.length > 2 ? 2 : 1] +
                "' is not valid here: give NAME, or NAME slots=N");
        }
        return new HostSlots(host.name(), slots(words[1].substring(SLOTS.length()), where));
    }

    /** Parses one entry. An IPv6 address needs brackets if a number of slots follows. */
    private static HostSlots host(final String entry, final String where)
    {
        final int bracket = entry.startsWith("[") ? entry.indexOf(']') : -1;
        final int colon = entry.indexOf(':', Math.max(0, bracket));
        final boolean hasSlots = colon >= 0 && (bracket >= 0 || entry.indexOf(':', colon + 1) < 0);
        final String end = hasSlots ? entry.substring(0, colon) : entry;
        final String name = bracket >= 0 && end.length() == bracket + 1 ? end.substring(1, bracket) : end;
        if (name.isEmpty())
        {
            throw new UsageException(where + ": empty host name: give NAME:SLOTS, separated by commas");
        }
        if (!name.matches("[A-Za-z0-9_@%:.][A-Za-z0-9_@%:.-]*"))
        {
            throw new UsageException(where + ": '" + name + "' is not a valid host name");
        }
        return new HostSlots(name, hasSlots ? slots(entry.substring(colon + 1), where) : 1);
    }

    private static int slots(final String text, final String where)
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

    private static List<HostSlots> merged(final List<HostSlots> hosts)
    {
        final Map<String, Integer> slots = new LinkedHashMap<>();
        hosts.forEach(host -> slots.merge(host.name(), host.slots(), Integer::sum));
        final List<HostSlots> result = new ArrayList<>();
        slots.forEach((name, count) -> result.add(new HostSlots(name, count)));
        return result;
    }
}
