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
 * Chooses how to do a call: by what the user says first, then by the table that {@code tutti tune} has
 * measured, if there is one, then by the table of defaults. Immutable, thread-safe.
 * <p>
 * What the user says, in {@code TUTTI_ALGORITHM}, is a list of entries
 * {@code collective:range:algorithm[,range:algorithm...]}, separated by semicolons, such as
 * {@code allreduce:0-4k:recursive_doubling,4k-:ring;broadcast:0-:chain}. Lengths that no entry names are left to the
 * tables.
 */
public final class AlgorithmSelector
{
    /** The environment variable that overrides the defaults. */
    public static final String ENVIRONMENT_VARIABLE = "TUTTI_ALGORITHM";

    private static final String EXAMPLE = "such as allreduce:0-4k:recursive_doubling,4k-:ring";

    private final List<Rule> rules;
    /** Whether there may be algorithms whose ranks load one another's memory. */
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
     * With what the user says.
     *
     * @param overrides overrides, as {@link #ENVIRONMENT_VARIABLE}; null or blank for the defaults.
     * @return never null.
     * @throws ConfigurationException if it is not as it must be: with the part that is wrong, and what it may be.
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
     * With what the user says, and what was measured.
     *
     * @param overrides overrides, as {@link #ENVIRONMENT_VARIABLE}; null or blank for none.
     * @param tuning    name of a file, as {@link TuningTable#ENVIRONMENT_VARIABLE}; null or blank for none.
     * @return never null.
     * @throws ConfigurationException if one of them is not as it must be: with the part that is wrong, and what it may
     *                                be.
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
                ": is no name of a file; it must be one that tutti run tune wrote", e);
        }
        final List<Rule> rules = new ArrayList<>(untuned.rules);
        rules.addAll(rules.size() - Defaults.RULES.size(), TuningTable.read(file).rules());
        return new AlgorithmSelector(List.copyOf(rules));
    }

    /**
     * The same for ranks that cannot load one another's memory: lines of algorithms that do are passed over, also where
     * the user asked for one.
     *
     * @return never null.
     */
    public AlgorithmSelector withoutPeerAccess()
    {
        return new AlgorithmSelector(rules, false);
    }

    /**
     * Whether algorithms whose ranks load one another's memory may be chosen.
     *
     * @return false of what {@link #withoutPeerAccess()} gives.
     */
    public boolean hasPeerAccess()
    {
        return canRead;
    }

    /**
     * Chooses for ranks of one host. Allocates: once per kind of call, not per call.
     *
     * @param collective collective of the call.
     * @param size       number of ranks, at least 1.
     * @param bytes      the buffer's length, from 0.
     * @return how to do it.
     */
    public Choice choose(final Collective collective, final int size, final long bytes)
    {
        return choose(collective, HostMap.one(size), bytes, OperandOrder.ANY);
    }

    /**
     * Chooses. Allocates: once per kind of call, not per call.
     *
     * @param collective collective of the call.
     * @param hosts      hosts of the ranks.
     * @param bytes      the buffer's length, from 0.
     * @param order      order in which operands must be combined: an algorithm that does is chosen, also where the user
     *                   asked for another one.
     * @return how to do it.
     */
    public Choice choose(
        final Collective collective, final HostMap hosts, final long bytes, final OperandOrder order)
    {
        final int place = place(collective, hosts, bytes, order);
        final boolean isFirst = place == place(collective, hosts, bytes, OperandOrder.ANY);
        final Rule rule = rule(place);
        return choice(rule.algorithm(), bytes, isFirst ? rule.toString() : order.reason());
    }

    private static Choice choice(final Algorithm algorithm, final long bytes, final String reason)
    {
        final Tuning tuning = Defaults.tuningOf(algorithm, bytes);
        return new Choice(algorithm, tuning.segmentBytes(), tuning.window(), reason);
    }

    /**
     * The algorithm of {@link #choose}. Allocates nothing.
     *
     * @param collective collective of the call.
     * @param hosts      hosts of the ranks.
     * @param bytes      the buffer's length, from 0.
     * @param order      order in which operands must be combined.
     * @return never null.
     */
    public Algorithm algorithm(
        final Collective collective, final HostMap hosts, final long bytes, final OperandOrder order)
    {
        return rule(place(collective, hosts, bytes, order)).algorithm();
    }

    private Rule rule(final int place)
    {
        return place < rules.size() ? rules.get(place) : Defaults.REPRODUCIBLE_RULES.get(place - rules.size());
    }

    /** That of the first rule that applies, and keeps the order. */
    private int place(
        final Collective collective, final HostMap hosts, final long bytes, final OperandOrder order)
    {
        int place = 0;
        while (true)
        {
            final Rule rule = rule(place);
            if (rule.applies(collective, hosts, bytes) && order.isKeptBy(rule.algorithm()) &&
                (canRead || !rule.algorithm().readsPeers()))
            {
                return place;
            }
            place++;
        }
    }

    /**
     * What the user says. Two ranks that must choose alike say the same.
     *
     * @return as {@link #ENVIRONMENT_VARIABLE}, in an order that does not depend on how it was written; may be empty.
     */
    public String overrides()
    {
        return rules.stream().filter((rule) -> rule.source().equals(ENVIRONMENT_VARIABLE))
            .map((rule) -> Choice.nameOf(rule.collective()) + ":" + rule.range() + ":" + rule.algorithm().name())
            .sorted().collect(Collectors.joining(";"));
    }

    /**
     * What the table says, in few words. Two ranks that must choose alike say the same.
     *
     * @return how many lines, and a hash of what they say; empty if there is no table.
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
                "no collective \"" + name + "\": there are " + Arrays.stream(Collective.values())
                .map(Choice::nameOf).collect(Collectors.joining(", "))));
    }
}
