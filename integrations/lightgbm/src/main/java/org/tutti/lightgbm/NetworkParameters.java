/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The parameters of LightGBM that concern the network. */
final class NetworkParameters
{
    private static final List<String> LEARNER = List.of("tree_learner", "tree", "tree_type", "tree_learner_type");
    private static final List<String> MACHINES = List.of("num_machines", "num_machine");
    private static final List<String> PARTITION = List.of("pre_partition", "is_pre_partition");
    /** Those of the socket network. */
    private static final List<String> SOCKETS = List.of("machines", "workers", "nodes", "machine_list_filename",
        "machine_list_file", "machine_list", "mlist", "local_listen_port", "local_port", "port");

    private NetworkParameters()
    {
    }

    /**
     * Adds the parameters that are missing.
     *
     * @param own  the caller's parameters.
     * @param size number of ranks.
     * @return parameters in LightGBM's format.
     * @throws IllegalArgumentException if a parameter does not fit.
     */
    static String complete(final String own, final int size)
    {
        final Map<String, String> given = parse(Objects.requireNonNull(own, "own"));
        for (final String key : SOCKETS)
        {
            require(!given.containsKey(key), key, given, "ranks communicate through Tutti: remove it");
        }
        final StringBuilder all = new StringBuilder(own.strip());
        final String machines = find(MACHINES, given);
        if (machines == null)
        {
            append(all, "num_machines=" + size);
        }
        else
        {
            require(given.get(machines).equals(Integer.toString(size)), machines, given,
                "must be " + size + ", the number of ranks, or left out");
        }
        final String learner = find(LEARNER, given);
        if (learner == null)
        {
            append(all, "tree_learner=data");
        }
        else
        {
            require(size == 1 || !"serial".equals(given.get(learner).toLowerCase(Locale.ROOT)), learner, given,
                "each rank would train alone: use data, voting or feature");
        }
        if (find(PARTITION, given) == null)
        {
            append(all, "pre_partition=true");
        }
        return all.toString();
    }

    private static void append(final StringBuilder all, final String parameter)
    {
        all.append(all.isEmpty() ? "" : " ").append(parameter);
    }

    private static Map<String, String> parse(final String parameters)
    {
        final Map<String, String> values = new HashMap<>();
        for (final String word : parameters.strip().split("\\s+", -1))
        {
            final int equals = word.indexOf('=');
            if (equals > 0)
            {
                values.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        return values;
    }

    private static String find(final List<String> names, final Map<String, String> given)
    {
        return names.stream().filter(given::containsKey).findFirst().orElse(null);
    }

    private static void require(
        final boolean condition, final String key, final Map<String, String> given, final String reason)
    {
        if (!condition)
        {
            throw new IllegalArgumentException(key + "=" + given.get(key) + ": " + reason);
        }
    }
}
