/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The parameters of one rank: those of the caller, completed by those that concern the network. */
final class NetworkParameters
{
    /** Those of the socket network. */
    private static final List<String> SOCKETS =
        List.of("machines", "machine_list_filename", "local_listen_port");
    private static final String LEARNER = "tree_learner";
    private static final String PARTITION = "pre_partition";
    private static final String MACHINES = "num_machines";
    private static final String LINEAR = "linear_tree";
    /** The values that LightGBM reads as true. */
    private static final Set<String> TRUE = Set.of("true", "+");
    /**
     * Those that concern a rank alone: its threads, files, logs, metrics and devices, and the memory and the order in
     * which it computes histograms.
     */
    private static final Set<String> LOCAL = Set.of("num_threads", "verbosity", "config", "data", "valid",
        "input_model", "output_model", "output_result", "convert_model", "snapshot_freq", "save_binary",
        "saved_feature_importance_type", "forcedbins_filename", "forcedsplits_filename", "parser_config_file",
        "machines", "machine_list_filename", "local_listen_port", "time_out", "metric", "metric_freq",
        "is_provide_training_metric", "eval_at", "multi_error_top_k", "auc_mu_weights", "early_stopping_round",
        "first_metric_only", "force_col_wise", "force_row_wise", "histogram_pool_size", "gpu_platform_id",
        "gpu_device_id");

    private final String text;
    private final SortedMap<String, String> values;

    private NetworkParameters(final String text, final SortedMap<String, String> values)
    {
        this.text = text;
        this.values = values;
    }

    /**
     * Adds the parameters that are missing.
     *
     * @param own   the caller's parameters.
     * @param size  number of ranks.
     * @param names names of LightGBM's parameters.
     * @return the parameters of this rank.
     * @throws IllegalArgumentException if a parameter does not fit.
     */
    static NetworkParameters complete(final String own, final int size, final ParameterNames names)
    {
        final SortedMap<String, String> given = names.values(Objects.requireNonNull(own, "own"));
        for (final String name : SOCKETS)
        {
            require(!given.containsKey(name), name, given, "ranks communicate through Tutti: remove it");
        }
        require(given.getOrDefault(MACHINES, Integer.toString(size)).equals(Integer.toString(size)), MACHINES, given,
            "must be " + size + ", the number of ranks, or left out");
        final String learner = given.getOrDefault(LEARNER, "data");
        require(size == 1 || !"serial".equals(lower(learner)), LEARNER, given,
            "each rank would train alone: use data or voting");
        require(size == 1 || !isTrue(given.get(LINEAR)), LINEAR, given,
            "LightGBM trains linear trees on each rank alone: remove it, or use 1 rank");
        require(size == 1 || !lower(learner).startsWith("feature"), LEARNER, given,
            "LightGBM has this learner in its command line only: use data or voting");
        final StringBuilder all = new StringBuilder(own.strip());
        final Map<String, String> added =
            Map.of(MACHINES, Integer.toString(size), LEARNER, "data", PARTITION, "true");
        for (final String name : List.of(MACHINES, LEARNER, PARTITION))
        {
            if (!given.containsKey(name))
            {
                all.append(all.isEmpty() ? "" : " ").append(name).append('=').append(added.get(name));
            }
        }
        return new NetworkParameters(all.toString(), names.values(all.toString()));
    }

    private static boolean isTrue(final String value)
    {
        return value != null && TRUE.contains(lower(value));
    }

    private static String lower(final String value)
    {
        return value.toLowerCase(Locale.ROOT);
    }

    private static void require(
        final boolean condition, final String name, final Map<String, String> given, final String reason)
    {
        if (!condition)
        {
            throw new IllegalArgumentException(name + "=" + given.get(name) + ": " + reason);
        }
    }

    /**
     * Returns all parameters.
     *
     * @return parameters in LightGBM's format.
     */
    String text()
    {
        return text;
    }

    /**
     * Returns the parameters that must be equal on all ranks.
     *
     * @return values by name.
     */
    SortedMap<String, String> common()
    {
        final SortedMap<String, String> common = new TreeMap<>(values);
        common.keySet().removeAll(LOCAL);
        return common;
    }

    /**
     * Returns whether a parameter concerns one rank alone.
     *
     * @param name main name of the parameter.
     * @return true if ranks may have different values.
     */
    static boolean isLocal(final String name)
    {
        return LOCAL.contains(name);
    }
}
