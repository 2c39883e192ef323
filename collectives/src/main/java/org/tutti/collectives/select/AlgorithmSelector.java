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
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.select.model.CostModelFile;
import org.tutti.collectives.select.model.ModelledTimes;
import org.tutti.collectives.select.model.SettingFile;
import org.tutti.collectives.select.model.WireKind;
import org.tutti.rdma.select.LinkRate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Selects the algorithm of each call: from the user's overrides, then from the table that {@code tutti tune} measured,
 * if any, then from the measured defaults, which are for few ranks on one host, else by the cost model. Immutable but
 * for a cache of the model's choices; thread-safe.
 * <p>
 * The overrides in {@code TUTTI_ALGORITHM} are a list of entries
 * {@code collective:range:algorithm[,range:algorithm...]}, separated by semicolons, such as
 * {@code allreduce:0-4k:recursive_doubling,4k-:ring;broadcast:0-:chain}. For lengths without an entry, the measured
 * table, the defaults and the model apply.
 */
public final class AlgorithmSelector
{
    /** The environment variable with the user's overrides. */
    public static final String ENVIRONMENT_VARIABLE = "TUTTI_ALGORITHM";

    private static final String EXAMPLE = "such as allreduce:0-4k:recursive_doubling,4k-:ring";
    private static final long DEFAULT_SCRATCH_BYTES = 4L << 20;

    /** Overrides and table. */
    private final List<Rule> rules;
    private final String tableName;
    private final CostModelFile modelFile;
    private final Wires wires;
    /** Whether algorithms that load the memory of other ranks of a host may be selected. */
    private final boolean canRead;
    private final CostModel model;
    private final String modelName;
    private volatile ModelChoices cache;

    private AlgorithmSelector(
        final List<Rule> rules, final String tableName, final CostModelFile modelFile, final Wires wires,
        final boolean canRead)
    {
        this.rules = rules;
        this.tableName = tableName;
        this.modelFile = modelFile;
        this.wires = wires;
        this.canRead = canRead;
        model = CostModelFile.model(modelFile, wires.within(), wires.across(), wires.mbit());
        modelName = modelFile == null ? null : modelFile.name();
        Defaults.load();
    }

    private AlgorithmSelector(
        final AlgorithmSelector from, final Wires wires, final boolean canRead, final CostModel model,
        final String modelName)
    {
        rules = from.rules;
        tableName = from.tableName;
        modelFile = from.modelFile;
        this.wires = wires;
        this.canRead = canRead;
        this.model = model;
        this.modelName = modelName;
    }

    /**
     * The wires of ranks.
     *
     * @param within       wire within hosts.
     * @param across       wire between hosts.
     * @param mbit         nominal rate of the slowest link between hosts in Mbit/s; 0 if unknown.
     * @param scratchBytes SCRATCH of a call in bytes, the same on all ranks.
     */
    public record Wires(WireKind within, WireKind across, int mbit, long scratchBytes)
    {
        /** Shared memory within hosts, RDMA devices between them. */
        public static final Wires DEFAULT = new Wires(WireKind.SHM, WireKind.VERBS, 0, DEFAULT_SCRATCH_BYTES);

        /**
         * Returns the wire that a call is limited by.
         *
         * @param hosts hosts of its ranks.
         * @return wire between hosts or, on one host, within it.
         */
        public WireKind of(final HostMap hosts)
        {
            return hosts.number() == 1 ? within : across;
        }
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
        return of(overrides, null, null);
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
        return of(overrides, tuning, null);
    }

    /**
     * Creates a selector from overrides, a measured table, a cost model and defaults.
     *
     * @param overrides value of {@link #ENVIRONMENT_VARIABLE}; null or blank for none.
     * @param tuning    file name, value of {@link TuningTable#ENVIRONMENT_VARIABLE}; null or blank for none.
     * @param modelFile file name, value of {@link CostModelFile#ENVIRONMENT_VARIABLE}; null or blank for the shipped
     *                  parameters.
     * @return selector, never null; the wires are {@link Wires#DEFAULT}.
     * @throws ConfigurationException if one of them is invalid; the message names the part that is wrong and the valid
     *                                values.
     */
    public static AlgorithmSelector of(final String overrides, final String tuning, final String modelFile)
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
        final boolean hasTable = tuning != null && !tuning.isBlank();
        if (hasTable)
        {
            rules.addAll(TuningTable.read(
                SettingFile.path(TuningTable.ENVIRONMENT_VARIABLE, tuning, "tutti run tune")).rules());
        }
        final CostModelFile file = modelFile == null || modelFile.isBlank() ? null :
            CostModelFile.ofSetting(modelFile);
        return new AlgorithmSelector(List.copyOf(rules), hasTable ? tuning.strip() : "", file, file == null ||
            file.wire() == null ? Wires.DEFAULT : new Wires(WireKind.SHM, file.wire(), 0, DEFAULT_SCRATCH_BYTES), true);
    }

    /**
     * Returns a selector for ranks that cannot load the memory of other ranks of their host: it skips algorithms that
     * do so, even those that the user requested.
     *
     * @return selector, never null.
     */
    public AlgorithmSelector withoutPeerAccess()
    {
        return new AlgorithmSelector(this, wires, false, model, modelName);
    }

    /**
     * Returns a selector that applies neither the user's overrides nor the measured table.
     *
     * @return selector of the defaults and the cost model, never null.
     */
    public AlgorithmSelector withoutRules()
    {
        return new AlgorithmSelector(new AlgorithmSelector(List.of(), "", modelFile, wires, canRead), wires, canRead,
            model, modelName);
    }

    /**
     * Returns a selector for ranks that use some wires.
     *
     * @param used wires of the ranks.
     * @return selector, never null; ignores the part of the user's cost model that is for another wire.
     */
    public AlgorithmSelector over(final Wires used)
    {
        return new AlgorithmSelector(rules, tableName, modelFile, used, canRead);
    }

    /**
     * Returns a selector for ranks that use some wires, with another cost model.
     *
     * @param used  wires of the ranks.
     * @param other cost model.
     * @param name  name of the cost model, for explanations.
     * @return selector, never null.
     */
    public AlgorithmSelector over(final Wires used, final CostModel other, final String name)
    {
        return new AlgorithmSelector(this, used, canRead, other, name);
    }

    /**
     * Throws if all lines of the measured table, or the parameters of the user's cost model, are for other wires than
     * the ranks use.
     *
     * @param hosts hosts of all ranks of the job.
     * @throws ConfigurationException naming the file and the wires.
     */
    public void requireWires(final HostMap hosts)
    {
        final WireKind used = wires.of(hosts);
        if (modelFile != null && (hosts.number() > 1 || used != WireKind.SHM))
        {
            modelFile.requireWire(used);
        }
        final List<Rule> measured = rules.stream().filter(AlgorithmSelector::isMeasuredByUser).toList();
        // A wire within hosts is in use if ranks share a host.
        final boolean isForOthers = !measured.isEmpty() && measured.stream().allMatch((rule) ->
            rule.scope().wire() != null && rule.scope().wire() != used &&
            (hosts.largest() == 1 || rule.scope().wire() != wires.within()));
        if (isForOthers)
        {
            throw new ConfigurationException(TuningTable.ENVIRONMENT_VARIABLE + "=" + tableName +
                ": all its lines are for the wire " + measured.stream().map((rule) -> rule.scope().wire().label())
                .distinct().sorted().collect(Collectors.joining(" or ")) + ", but ranks use " + used.label() +
                ": measure that wire with tutti run tune, or unset " + TuningTable.ENVIRONMENT_VARIABLE);
        }
    }

    /**
     * Returns whether algorithms that load the memory of other ranks of a host may be selected.
     *
     * @return false after {@link #withoutPeerAccess()}.
     */
    public boolean hasPeerAccess()
    {
        return canRead;
    }

    /**
     * Returns the wires for which this selector chooses.
     *
     * @return wires of the ranks.
     */
    public Wires wires()
    {
        return wires;
    }

    /**
     * Returns the cost model by which this selector chooses.
     *
     * @return cost model for the wires.
     */
    public CostModel model()
    {
        return model;
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
        final Rule rule = rule(collective, hosts, bytes, order);
        final String reason;
        if (rule == null)
        {
            final Choice predicted = predicted(collective, hosts, bytes, order);
            reason = predicted.reason() + (order == OperandOrder.ANY ? "" : "; " + order.reason());
            return choice(predicted.algorithm(), hosts, bytes, reason);
        }
        final boolean isFirst = order == OperandOrder.ANY ||
            rule.equals(rule(collective, hosts, bytes, OperandOrder.ANY));
        return choice(rule.algorithm(), hosts, bytes, (isMeasuredByUser(rule) ? "measured, " : "") + rule +
            (isFirst ? "" : "; " + order.reason()));
    }

    /** Whether a rule is a line of the user's table. */
    private static boolean isMeasuredByUser(final Rule rule)
    {
        return !rule.source().equals(ENVIRONMENT_VARIABLE) && !rule.source().equals(Defaults.SOURCE);
    }

    private Choice choice(final Algorithm algorithm, final HostMap hosts, final long bytes, final String reason)
    {
        final Tuning tuning = LinkTunings.of(algorithm, bytes, hosts, wires.of(hosts), model);
        return new Choice(algorithm, tuning.segmentBytes(), tuning.window(), reason);
    }

    /**
     * Returns the algorithm that {@link #choose} selects. Allocates nothing, except for the first call of a class of
     * lengths.
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
        final Rule rule = rule(collective, hosts, bytes, order);
        return rule == null ? predicted(collective, hosts, bytes, order).algorithm() : rule.algorithm();
    }

    /**
     * Returns the first rule that applies with an algorithm that keeps the order and may be selected; null if the model
     * must choose.
     */
    private Rule rule(final Collective collective, final HostMap hosts, final long bytes, final OperandOrder order)
    {
        final Rule rule = rule(rules, collective, hosts, bytes, order);
        if (rule != null || !isMeasured(hosts))
        {
            return rule;
        }
        return rule(Defaults.RULES, collective, hosts, bytes, order);
    }

    private Rule rule(
        final List<Rule> from, final Collective collective, final HostMap hosts, final long bytes,
        final OperandOrder order)
    {
        final WireKind wire = wires.of(hosts);
        for (int i = 0; i < from.size(); i++)
        {
            final Rule rule = from.get(i);
            if (rule.applies(collective, hosts, wire, bytes) && order.isKeptBy(rule.algorithm()) &&
                (canRead || !rule.algorithm().readsPeers()))
            {
                return rule;
            }
        }
        return null;
    }

    /** Whether the defaults were measured with such ranks. */
    private boolean isMeasured(final HostMap hosts)
    {
        return hosts.size() == 1 || (hosts.number() == 1 && hosts.size() <= Defaults.MOST_RANKS &&
            wires.within() == WireKind.SHM);
    }

    private Choice predicted(
        final Collective collective, final HostMap hosts, final long bytes, final OperandOrder order)
    {
        ModelChoices choices = cache;
        if (choices == null || !choices.isFor(hosts))
        {
            choices = new ModelChoices(
                new ModelledTimes(hosts, model, wires.scratchBytes()), wires.of(hosts), canRead, modelName(hosts));
            cache = choices;
        }
        return choices.choose(collective, bytes, order);
    }

    private String modelName(final HostMap hosts)
    {
        final String rate = hosts.number() > 1 && model.hasRate(wires.mbit()) ?
            ", links of " + LinkRate.text(wires.mbit()) : "";
        return "the model " + (modelName == null ? "of " + wires.of(hosts).label() : modelName) + rate;
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
     * @return number of lines and a hash of their content, a tab, and the name of the file, which need not be the same;
     *         empty without a table.
     */
    public String tuned()
    {
        final List<String> lines = rules.stream().filter(AlgorithmSelector::isMeasuredByUser)
            .map((rule) -> Choice.nameOf(rule.collective()) + " " + rule.minSize() + "-" + rule.maxSize() + " " +
                rule.range() + " " + rule.algorithm().name() + " " + rule.scope())
            .sorted().toList();
        return lines.isEmpty() ? "" : "a table of " + lines.size() + (lines.size() == 1 ? " line" : " lines") +
            " (" + Integer.toHexString(lines.hashCode()) + ")\t" + tableName;
    }

    /**
     * Summarizes the user's cost model, to compare between ranks, which must select the same algorithms.
     *
     * @return number of values and a hash of them, a tab, and the name of the file; empty without a model of the user.
     */
    public String modelled()
    {
        return modelFile == null ? "" : modelFile.summary() + "\t" + modelFile.name();
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
            ENVIRONMENT_VARIABLE, RuleScope.ANY));
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
