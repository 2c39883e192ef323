/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Selects the algorithm of each call: from the user's overrides, then from the table that {@code tutti tune} measured,
 * if any, then from the defaults. Immutable, thread-safe.
 * <p>
 * The overrides in {@code TUTTI_ALGORITHM} are a list of entries
 * {@code collective:range:algorithm[,range:algorithm...]}, separated by semicolons, such as
 * {@code allreduce:0-4k:recursive_doubling,4k-:ring;broadcast:0-:chain}. For lengths without an entry, the measured
 * table and the defaults apply.
 */
public final class AlgorithmSelector
{
    /** The environment variable with the user's overrides. */
    public static final String ENVIRONMENT_VARIABLE = "TUTTI_ALGORITHM";

    private static final String EXAMPLE = "such as allreduce:0-4k:recursive_doubling,4k-:ring";

    private final List<Rule> rules;
    /** Whether algorithms that load other ranks' memory may be selected. */
    private final boolean canRead;

    private AlgorithmSelector(final List<Rule> rules)
    {
        this(rules, true);
    }

    private AlgorithmSelector(final List<Rule> rules, final boolean canRead)
    {
        this.rules = rules;
        this.canRead = canRead;
    }

    /**
     * Creates a selector from overrides and defaults.
     *
     * @param overrides value of {@link #ENVIRONMENT_VARIABLE}; null or blank for the defaults.
     * @return selector, never null.
     * @throws ConfigurationException if an entry is invalid; the message names the entry and the valid values.
     */
    public static AlgorithmSelector of(final String overrides)
    {
        final List<Rule> rules = new ArrayList<>();
        if (overrides != null && !overrides.isBlank())
        {
            try
            {
                parse(overrides, rules);
            }
            catch (final IllegalArgumentException ex)
            {
                throw new ConfigurationException(
                    ENVIRONMENT_VARIABLE + "=\"" + overrides + "\": " + ex.getMessage(), ex);
            }
        }
        rules.addAll(Defaults.RULES);
        return new AlgorithmSelector(List.copyOf(rules));
    }

    /**
     * Creates a selector from overrides, a measured table and defaults.
     *
     * @param overrides value of {@link #ENVIRONMENT_VARIABLE}; null or blank for none.
     * @param tuning    file name, value of {@link TuningTable#ENVIRONMENT_VARIABLE}; null or blank for none.
     * @return selector, never null.
     * @throws ConfigurationException if one of them is invalid; the message names the part that is wrong and the valid
     *                                values.
     */
    public static AlgorithmSelector of(final String overrides, final String tuning)
    {
        final AlgorithmSelector untuned = of(overrides);
        if (tuning == null || tuning.isBlank())
        {
            return untuned;
        }
        final Path file;
        try
        {
            file = Path.of(tuning.strip());
        }
        catch (final InvalidPathException e)
        {
            throw new ConfigurationException(TuningTable.ENVIRONMENT_VARIABLE + "=" + tuning +
                ": is not a valid path; must be a file that tutti run tune wrote", e);
        }
        final List<Rule> rules = new ArrayList<>(untuned.rules);
        rules.addAll(rules.size() - Defaults.RULES.size(), TuningTable.read(file).rules());
        return new AlgorithmSelector(List.copyOf(rules));
    }

    /**
     * Returns a selector for ranks that cannot load one another's memory: it skips algorithms that load peers'
     * memory, even those that the user requested.
     *
     * @return selector, never null.
     */
    public AlgorithmSelector withoutPeerAccess()
    {
        return new AlgorithmSelector(rules, false);
    }

    /**
     * Returns whether algorithms that load other ranks' memory may be selected.
     *
     * @return false after {@link #withoutPeerAccess()}.
     */
    public boolean hasPeerAccess()
    {
        return canRead;
    }

    /**
     * Selects for ranks of one host. Allocates; called once per kind of call.
     *
     * @param collective collective of the call.
     * @param size       number of ranks, at least 1.
     * @param bytes      buffer length in bytes, from 0.
     * @return algorithm, segment and window, with the reason.
     */
    public Choice choose(final Collective collective, final int size, final long bytes)
    {
        return choose(collective, HostMap.one(size), bytes, OperandOrder.ANY);
    }

    /**
     * Selects the algorithm, segment and window of a call. Allocates; called once per kind of call.
     *
     * @param collective collective of the call.
     * @param hosts      hosts of the ranks.
     * @param bytes      buffer length in bytes, from 0.
     * @param order      order in which operands must be combined; takes precedence over the user's overrides.
     * @return algorithm, segment and window, with the reason.
     */
    public Choice choose(
        final Collective collective, final HostMap hosts, final long bytes, final OperandOrder order)
    {
        final int index = index(collective, hosts, bytes, order);
        final boolean isFirst = index == index(collective, hosts, bytes, OperandOrder.ANY);
        final Rule rule = rule(index);
        return choice(rule.algorithm(), bytes, isFirst ? rule.toString() : order.reason());
    }

    private static Choice choice(final Algorithm algorithm, final long bytes, final String reason)
    {
        final Tuning tuning = Defaults.tuningOf(algorithm, bytes);
        return new Choice(algorithm, tuning.segmentBytes(), tuning.window(), reason);
    }

    /**
     * Returns the algorithm that {@link #choose} selects. Allocates nothing.
     *
     * @param collective collective of the call.
     * @param hosts      hosts of the ranks.
     * @param bytes      buffer length in bytes, from 0.
     * @param order      order in which operands must be combined.
     * @return algorithm, never null.
     */
    public Algorithm algorithm(
        final Collective collective, final HostMap hosts, final long bytes, final OperandOrder order)
    {
        return rule(index(collective, hosts, bytes, order)).algorithm();
    }

    private Rule rule(final int index)
    {
        return index < rules.size() ? rules.get(index) : Defaults.REPRODUCIBLE_RULES.get(index - rules.size());
    }

    /** Returns the index of the first rule that applies with an algorithm that keeps the order and may be selected. */
    private int index(
        final Collective collective, final HostMap hosts, final long bytes, final OperandOrder order)
    {
        int index = 0;
        while (true)
        {
            final Rule rule = rule(index);
            if (rule.applies(collective, hosts, bytes) && order.isKeptBy(rule.algorithm()) &&
                (canRead || !rule.algorithm().readsPeers()))
            {
                return index;
            }
            index++;
        }
    }

    /**
     * Returns the user's overrides, to compare between ranks, which must select the same algorithms.
     *
     * @return overrides as in {@link #ENVIRONMENT_VARIABLE}, sorted; may be empty.
     */
    public String overrides()
    {
        return rules.stream().filter((rule) -> rule.source().equals(ENVIRONMENT_VARIABLE))
            .map((rule) -> Choice.nameOf(rule.collective()) + ":" + rule.range() + ":" + rule.algorithm().name())
            .sorted().collect(Collectors.joining(";"));
    }

    /**
     * Summarizes the measured table, to compare between ranks, which must select the same algorithms.
     *
     * @return number of lines and a hash of their content; empty without a table.
     */
    public String tuned()
    {
        final List<String> lines = rules.subList(0, rules.size() - Defaults.RULES.size()).stream()
            .filter((rule) -> !rule.source().equals(ENVIRONMENT_VARIABLE))
            .map((rule) -> Choice.nameOf(rule.collective()) + " " + rule.minSize() + "-" + rule.maxSize() + " " +
                rule.range() + " " + rule.algorithm().name())
            .sorted().toList();
        return lines.isEmpty() ? "" : "a table of " + lines.size() + (lines.size() == 1 ? " line" : " lines") +
            " (" + Integer.toHexString(lines.hashCode()) + ")";
    }

    private static void parse(final String overrides, final List<Rule> rules)
    {
        for (final String entry : overrides.split(";", -1))
        {
            final int colon = entry.indexOf(':');
            if (colon < 0)
            {
                throw new IllegalArgumentException(
                    "\"" + entry + "\" must be collective:range:algorithm, " + EXAMPLE);
            }
            final Collective collective = collective(entry.substring(0, colon).strip());
            for (final String part : entry.substring(colon + 1).split(",", -1))
            {
                add(rules, collective, part.strip());
            }
        }
    }

    private static void add(final List<Rule> rules, final Collective collective, final String part)
    {
        final int colon = part.indexOf(':');
        if (colon < 0)
        {
            throw new IllegalArgumentException("\"" + part + "\" must be range:algorithm, " + EXAMPLE);
        }
        final ByteRange range = ByteRange.parse(part.substring(0, colon));
        for (final Rule rule : rules)
        {
            if (rule.collective() == collective && rule.range().overlaps(range))
            {
                throw new IllegalArgumentException(
                    "ranges " + rule.range() + " and " + range + " of " + Choice.nameOf(collective) + " overlap");
            }
        }
        rules.add(new Rule(
            collective, 1, Rule.ANY, range, Algorithms.named(collective, part.substring(colon + 1)),
            ENVIRONMENT_VARIABLE, Rule.Placement.ANY));
    }

    static Collective collective(final String name)
    {
        return Arrays.stream(Collective.values())
            .filter((collective) -> Choice.nameOf(collective).equals(name)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException(
                "unknown collective \"" + name + "\": must be one of " + Arrays.stream(Collective.values())
                .map(Choice::nameOf).collect(Collectors.joining(", "))));
    }
}
