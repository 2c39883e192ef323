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
 * A file of hosts, one per line, in the formats of other launchers: {@code node0 slots=2 max_slots=4} as for Open MPI,
 * {@code node0:2} as for MPICH, both as the MPI Operator writes them. A comment starts with '#' or '//'. The default is
 * one slot; the slots of a repeated host add up.
 */
public final class HostFile
{
    /** Variables by which other launchers find their file: of Open MPI 4 and 5, Intel MPI and MPICH. */
    private static final List<String> VARIABLES = List.of("OMPI_MCA_orte_default_hostfile",
        "PRTE_MCA_prte_default_hostfile", "I_MPI_HYDRA_HOST_FILE", "HYDRA_HOST_FILE");
    /** The value by which users of Open MPI disable the file of the installation. */
    private static final String NONE = "none";
    private static final String EXAMPLE = "'node0 slots=2' or 'node0:2'";

    private final Path path;
    private final String source;

    private HostFile(final Path path, final String source)
    {
        this.path = path;
        this.source = source;
    }

    /**
     * Returns the file that the user gave by {@code --hostfile}.
     *
     * @param path the path of the file.
     * @return the file.
     */
    public static HostFile ofOption(final Path path)
    {
        return new HostFile(path, "--hostfile " + path);
    }

    /**
     * Returns the file that a variable of another launcher names.
     *
     * @param variables the variables by name, as {@link System#getenv()} returns them.
     * @return the file, or null if there is none.
     */
    public static HostFile ofVariables(final Map<String, String> variables)
    {
        for (final String variable : VARIABLES)
        {
            final String path = variables.getOrDefault(variable, "").strip();
            if (!path.isEmpty() && !path.equals(NONE))
            {
                return new HostFile(Path.of(path), variable + "=" + path);
            }
        }
        return null;
    }

    /**
     * Reads the hosts.
     *
     * @return the hosts with their slots, each host once, in the order of the file.
     * @throws UsageException if the file or a line is invalid; the message names the file and the line.
     */
    public List<HostSlots> read()
    {
        final List<HostSlots> hosts = new ArrayList<>();
        int number = 0;
        for (final String line : lines())
        {
            number++;
            final String text = line.split("#|//", 2)[0].strip();
            if (!text.isEmpty())
            {
                hosts.add(host(text, source + ", line " + number));
            }
        }
        if (hosts.isEmpty())
        {
            throw new UsageException(source + " contains no hosts: give lines such as " + EXAMPLE);
        }
        return HostList.merged(hosts);
    }

    private List<String> lines()
    {
        try
        {
            return Files.readAllLines(path);
        }
        catch (final CharacterCodingException ex)
        {
            throw new UsageException(source + " is not a text file: give lines such as " + EXAMPLE);
        }
        catch (final IOException ex)
        {
            throw new UsageException("cannot read " + source + " (" + ex + "): give a file with lines such as " +
                EXAMPLE + (source.startsWith("--") ? "" : ", unset the variable, or give --host"));
        }
    }

    /** Returns where the user gave the file, for messages. */
    @Override
    public String toString()
    {
        return source;
    }

    private static HostSlots host(final String line, final String where)
    {
        final String[] words = line.replaceAll("\\s*=\\s*", "=").split("\\s+", -1);
        final boolean hasSlots = HostList.hasSlots(words[0]);
        final HostSlots host = HostList.host(words[0], where);
        final Map<String, String> values = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++)
        {
            final int equals = words[i].indexOf('=');
            final String key = equals < 0 ? "" : key(words[i].substring(0, equals));
            final String value = words[i].substring(equals + 1);
            if (key.isEmpty() || value.isEmpty())
            {
                throw new UsageException(where + ": '" + words[i] +
                    "' is not valid here: give NAME, NAME:N or NAME slots=N max_slots=N");
            }
            if (values.put(key, value) != null || (hasSlots && key.equals("slots")))
            {
                throw new UsageException(where + ": " + key + " of '" + host.name() + "' is given twice: give one");
            }
        }
        final String user = values.get("user");
        final int slots = values.containsKey("slots") ? HostList.slots(values.get("slots"), where) : host.slots();
        final int max = values.containsKey("max_slots") ? HostList.slots(values.get("max_slots"), where) : slots;
        if (max < slots)
        {
            throw new UsageException(where + ": slots of '" + host.name() + "' exceed max_slots: " + slots + " > " +
                max + ": give at most " + max + " slots");
        }
        return new HostSlots(user == null ? host.name() : HostList.host(user + "@" + host.name(), where).name(), slots);
    }

    /** Returns the common name of a keyword and its variants in Open MPI; empty if it is unknown. */
    private static String key(final String word)
    {
        return switch (word.replace('-', '_'))
        {
            case "slots", "cpu", "count" -> "slots";
            case "max_slots", "slots_max", "max_cpu", "cpu_max", "max_count", "count_max" -> "max_slots";
            case "username", "user_name", "user" -> "user";
            default -> "";
        };
    }
}
