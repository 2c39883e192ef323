/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.DataType;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.comm.Communicators;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.OperandOrder;
import org.tutti.collectives.select.TuningTable;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.select.model.CostModelFile;
import org.tutti.collectives.select.model.WireKind;
import org.tutti.rdma.select.TransportNames;
import org.tutti.tools.simulate.Perturbation;
import org.tutti.tools.simulate.Topology;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Model.CommandSpec;

/** Options of the commands that predict times. */
final class ModelOptions
{
    private static final double DEFAULT_RETRANSMIT_MS = 67.1;

    @Option(names = "--topology", paramLabel = "TOPOLOGY", defaultValue = "flat",
        description = "Topology: flat, fat-tree:PORTS[,OVERSUBSCRIPTION], host, hosts:RANKS, " +
            "hosts:RANKS+fat-tree:PORTS[,OVERSUBSCRIPTION] (default: ${DEFAULT-VALUE}).")
    private String topology;

    @Option(names = "--model", paramLabel = "FILE|NAME=VALUE[,...]",
        description = "Cost model: a file of tutti calibrate, or values that differ from the shipped ones " +
            "(default: TUTTI_MODEL, else the shipped ones).")
    private String model;

    @Option(names = { "-d", "--datatype" }, paramLabel = "TYPE", defaultValue = "float",
        description = "Type of the elements (default: ${DEFAULT-VALUE}).")
    private String type;

    @Option(names = { "-r", "--root" }, paramLabel = "RANK", defaultValue = "0",
        description = "Root rank of rooted collectives (default: ${DEFAULT-VALUE}).")
    private int root;

    @Option(names = "--straggler", paramLabel = "RANK:FACTOR|PERCENT%:FACTOR", split = ";",
        description = "Ranks whose processor is slower by FACTOR: one rank, or a percentage chosen by the seed.")
    private List<String> stragglers = List.of();

    @Option(names = "--loss", paramLabel = "PROBABILITY[,MS]",
        description = "Probability that a packet is lost, and milliseconds until the message is retransmitted " +
            "(default: 67.1 ms, as TUTTI_ACK_TIMEOUT=14).")
    private String loss;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of random choices (default: ${DEFAULT-VALUE}).")
    private long seed;

    /** Finds a collective by name, or throws an error with all names. */
    static Collective collective(final CommandSpec spec, final String name)
    {
        try
        {
            return collective(name);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Finds a collective by name.
     *
     * @throws IllegalArgumentException with all names, if there is none.
     */
    static Collective collective(final String name)
    {
        return Arrays.stream(Collective.values()).filter(collective -> nameOf(collective).equals(name)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("unknown collective \"" + name + "\": must be one of " +
                Arrays.stream(Collective.values()).map(ModelOptions::nameOf).collect(Collectors.joining(", "))));
    }

    static String nameOf(final Collective collective)
    {
        return collective.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Order in which a run with this environment would combine operands.
     *
     * @param op operation, or null if the collective does not reduce.
     */
    static OperandOrder order(final CommandSpec spec, final DataType type, final ReduceOp op)
    {
        try
        {
            return OperandOrder.of(type, op, Communicators.isReproducible(JoinOptions.ofEnvironment().settings()));
        }
        catch (final ConfigurationException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Selector of algorithms, as for a run with this environment and with the model. As a run does, it refuses a table
     * or a model of the environment that is for another wire.
     *
     * @param hosts hosts of the ranks.
     */
    AlgorithmSelector selector(final CommandSpec spec, final HostMap hosts)
    {
        try
        {
            final CostModel costs = model(spec);
            final Map<String, String> settings = JoinOptions.ofEnvironment().settings();
            final AlgorithmSelector selector = AlgorithmSelector.of(
                setting(settings, AlgorithmSelector.ENVIRONMENT_VARIABLE),
                setting(settings, TuningTable.ENVIRONMENT_VARIABLE), model == null ? modelFile() : null)
                .over(wires(spec), costs, model == null && modelFile() == null ? null : modelName());
            if (hosts.size() > 1)
            {
                selector.requireWires(hosts);
            }
            return Communicators.isDirect(settings) ? selector : selector.withoutPeerAccess();
        }
        catch (final ConfigurationException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    static ParameterException wrong(final CommandSpec spec, final String message)
    {
        return new ParameterException(spec.commandLine(), message);
    }

    Topology topology(final CommandSpec spec, final int size)
    {
        try
        {
            return Topology.parse(topology, size);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), "--topology " + e.getMessage(), e);
        }
    }

    DataType type(final CommandSpec spec)
    {
        return Arrays.stream(DataType.values()).filter(each -> each.shortName().equals(type)).findFirst()
            .orElseThrow(() -> wrong(spec, "-d=" + type + ": must be one of " +
                Arrays.stream(DataType.values()).map(DataType::shortName).collect(Collectors.joining(", "))));
    }

    int root(final CommandSpec spec, final int size)
    {
        if (root < 0 || root >= size)
        {
            throw wrong(spec, "-r=" + root + ": must be a rank from 0 to " + (size - 1));
        }
        return root;
    }

    /** Value of a property or variable of this environment; empty if it is not set. */
    private static String setting(final Map<String, String> settings, final String variable)
    {
        final String value = settings.getOrDefault(variable.toLowerCase(Locale.ROOT).replace('_', '.'), "");
        return (value.isBlank() ? settings.getOrDefault(variable, "") : value).strip();
    }

    private static String transport(final Map<String, String> settings)
    {
        final String transport = setting(settings, "TUTTI_TRANSPORT");
        return transport.isEmpty() ? TransportNames.AUTO : transport;
    }

    /** Whether the wire between hosts depends on the devices of the hosts, which are unknown. */
    private static boolean isOpen(final Map<String, String> settings)
    {
        return List.of(TransportNames.AUTO, TransportNames.SHARED).contains(transport(settings));
    }

    /**
     * Wires of a run with this environment. If the wire between hosts depends on their devices, these count as RDMA
     * devices, unless the table of this environment is for TCP.
     */
    private static AlgorithmSelector.Wires wires(final Map<String, String> settings)
    {
        final List<String> names = TransportNames.of(transport(settings));
        final WireKind within = WireKind.ofTransport(names.getFirst());
        final long scratch = Communicators.scratchBytes(settings);
        final AlgorithmSelector.Wires verbs = new AlgorithmSelector.Wires(within, WireKind.VERBS, 0, scratch);
        final AlgorithmSelector.Wires tcp = new AlgorithmSelector.Wires(within, WireKind.TCP, 0, scratch);
        final boolean isTcp = isOpen(settings) ? !acceptsTable(settings, verbs) && acceptsTable(settings, tcp) :
            WireKind.ofTransport(names.getLast()) == WireKind.TCP;
        return isTcp ? tcp : verbs;
    }

    /** Whether a run between hosts accepts the table of this environment. */
    private static boolean acceptsTable(final Map<String, String> settings, final AlgorithmSelector.Wires wires)
    {
        try
        {
            AlgorithmSelector.of(null, setting(settings, TuningTable.ENVIRONMENT_VARIABLE)).over(wires)
                .requireWires(HostMap.inOrder(2, 1));
            return true;
        }
        catch (final ConfigurationException e)
        {
            return false;
        }
    }

    /** Name of the model, for users. */
    String modelName()
    {
        final String file = modelFile();
        return model != null ? model : file != null ? file :
            "of " + wires(JoinOptions.ofEnvironment().settings()).across().label();
    }

    /** File that a run with this environment would use, or null. */
    private static String modelFile()
    {
        final String file = setting(JoinOptions.ofEnvironment().settings(), CostModelFile.ENVIRONMENT_VARIABLE);
        return file.isEmpty() ? null : file;
    }

    /**
     * Wires of a run with this environment; between hosts, that of the given model, or of the environment's model if
     * the environment leaves the wire open.
     */
    private AlgorithmSelector.Wires wires(final CommandSpec spec)
    {
        final Map<String, String> settings = JoinOptions.ofEnvironment().settings();
        final AlgorithmSelector.Wires wires = wires(settings);
        final CostModelFile file = file(spec);
        if (file == null || file.wire() == null || (model == null && !isOpen(settings)))
        {
            return wires;
        }
        // Ranks of one host that do not share memory use the wire between hosts.
        return new AlgorithmSelector.Wires(wires.within() == WireKind.SHM ? WireKind.SHM : file.wire(), file.wire(), 0,
            wires.scratchBytes());
    }

    /**
     * The given file, else the file that a run with this environment would use; null if there is none, or if values are
     * given.
     */
    private CostModelFile file(final CommandSpec spec)
    {
        final String name = model == null ? modelFile() : model.contains("=") ? null : model;
        try
        {
            return name == null ? null : CostModelFile.read(Path.of(name));
        }
        catch (final IllegalArgumentException | ConfigurationException e)
        {
            throw new ParameterException(spec.commandLine(),
                (model == null ? CostModelFile.ENVIRONMENT_VARIABLE : "--model") + ": " + e.getMessage(), e);
        }
    }

    /** The given model or, if there is none, that of a run with this environment. */
    CostModel model(final CommandSpec spec)
    {
        final AlgorithmSelector.Wires wires = wires(spec);
        if (model == null || !model.contains("="))
        {
            return CostModelFile.model(file(spec), wires.within(), wires.across());
        }
        try
        {
            return CostModel.of(wires.within(), wires.across()).with(inline());
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), "--model=" + model + ": " + e.getMessage(), e);
        }
    }

    Perturbation perturbation(final CommandSpec spec)
    {
        try
        {
            final Map<Integer, Double> slow = new HashMap<>();
            double fraction = 0;
            double factor = 1;
            for (final String straggler : stragglers)
            {
                final String[] parts = straggler.split(":", -1);
                final boolean isPart = parts[0].endsWith("%");
                if (parts.length != 2)
                {
                    throw new IllegalArgumentException("must be RANK:FACTOR or PERCENT%:FACTOR, such as 5:3 or 1%:3");
                }
                if (isPart)
                {
                    fraction = Double.parseDouble(parts[0].substring(0, parts[0].length() - 1)) / 100;
                    factor = Double.parseDouble(parts[1]);
                }
                else
                {
                    slow.put(Integer.parseInt(parts[0]), Double.parseDouble(parts[1]));
                }
            }
            final String[] losses = loss == null ? new String[] {"0"} : loss.split(",", 2);
            return new Perturbation(slow, fraction, factor, Double.parseDouble(losses[0]),
                1e6 * (losses.length == 1 ? DEFAULT_RETRANSMIT_MS : Double.parseDouble(losses[1])), seed);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), (stragglers.isEmpty() ? "" : "--straggler=" +
                String.join(";", stragglers) + " ") + (loss == null ? "" : "--loss=" + loss) + ": " + e.getMessage(),
                e);
        }
    }

    long seed()
    {
        return seed;
    }

    /** Perturbations, for users; empty if there are none. */
    String perturbations()
    {
        return (stragglers.isEmpty() ? "" : " stragglers " + String.join(";", stragglers)) +
            (loss == null ? "" : " loss " + loss);
    }

    private Map<String, Double> inline()
    {
        final Map<String, Double> values = new LinkedHashMap<>();
        for (final String entry : model.split(",", -1))
        {
            final String[] parts = entry.split("=", 2);
            if (parts.length != 2)
            {
                throw new IllegalArgumentException("\"" + entry + "\" must be NAME=VALUE");
            }
            values.put(parts[0].strip(), Double.valueOf(parts[1].strip()));
        }
        return values;
    }
}
