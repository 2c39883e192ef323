/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.tutti.collectives.DataType;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.comm.Communicators;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.pattern.RouteSummary;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.SchedulePrinter;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.OperandOrder;
import org.tutti.collectives.select.model.WireKind;
import org.tutti.launcher.ByteSize;
import org.tutti.tools.simulate.Prediction;
import org.tutti.tools.simulate.Simulator;
import org.tutti.tools.simulate.Topology;
import org.tutti.launcher.ToolCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tutti explain}: shows which algorithm a call gets and why, the predicted times, and the schedule. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = "Shows which algorithm a call gets and why, the predicted time of each, and the schedule.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
        "  tutti explain allreduce 1M -np 64",
        "  tutti explain broadcast 4k -np 8 --topology host --rank 3 --all",
        "  TUTTI_ALGORITHM=allreduce:0-:ring tutti explain allreduce 1M -np 64",
        "  TUTTI_REPRODUCIBLE=1 tutti explain reduce 64k -np 8 -d bfloat16 -o sum",
        "",
        "docs/simulator.md describes the predictions and their accuracy."})
public final class ExplainCommand implements ToolCommand
{
    private static final int SHORT = 24;
    private static final String USER = "user";
    /** Name of the premultiplied sum, as in tutti perf and nccl-tests. */
    private static final String MULSUM = "mulsum";

    @Parameters(index = "0", paramLabel = "COLLECTIVE", description = "Collective, such as allreduce.")
    private String collectiveName;

    @Parameters(index = "1", paramLabel = "SIZE", arity = "0..1", defaultValue = "0",
        converter = ByteSize.Converter.class,
        description = "Bytes of a rank's longest buffer: 512, 4k, 64M, 1G (default: ${DEFAULT-VALUE}).")
    private ByteSize bytes;

    @Option(names = { "-np", "-n" }, paramLabel = "N", required = true, description = "Number of ranks.")
    private int size;

    @Option(names = { "-o", "--op" }, paramLabel = "OP", defaultValue = "sum",
        description = "Operation of a reduction: sum, min, ..., mulsum, or user for a user-defined one " +
            "(default: ${DEFAULT-VALUE}).")
    private String opName;

    @Option(names = "--noncommutative", description = "The user-defined operation is not commutative.")
    private boolean isNonCommutative;

    @Option(names = "--rank", paramLabel = "RANK", defaultValue = "0",
        description = "Rank whose schedule is shown (default: ${DEFAULT-VALUE}).")
    private int rank;

    @Option(names = "--all", description = "Shows all steps of the schedule.")
    private boolean isAll;

    @Mixin
    private ModelOptions options;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        final Collective collective = ModelOptions.collective(spec, collectiveName);
        if (size < 1)
        {
            throw ModelOptions.wrong(spec, "-np=" + size + ": must be at least 1");
        }
        if (rank < 0 || rank >= size)
        {
            throw ModelOptions.wrong(spec, "--rank=" + rank + ": must be from 0 to " + (size - 1));
        }
        final DataType type = options.type(spec);
        final OperandOrder order = ModelOptions.order(spec, type, collective.reduces() ? op(type) : null);
        final Topology topology = options.topology(spec, size);
        final HostMap hosts = topology.hosts(size);
        final AlgorithmSelector selector = options.selector(spec, hosts);
        final Candidates found = Candidates.of(selector, new Candidate.Shape(
            collective, hosts, bytes.bytes(), type.size(), options.root(spec, size), order));
        final List<Candidate> candidates = found.available();
        found.refused().stream().filter(Candidates.Refusal::isChosen).findFirst().ifPresent(refusal ->
        {
            throw ModelOptions.wrong(spec, refusal.message());
        });
        final Candidate chosen = candidates.stream().filter(Candidate::isChosen).findFirst().orElseThrow();
        final Simulator simulator =
            new Simulator(options.model(spec), topology, options.perturbation(spec));
        final PrintWriter out = spec.commandLine().getOut();
        out.println(chosen.choice().explain(size, chosen.bytes()));
        printRoutes(out, hosts, selector.wires().across());
        out.println();
        out.println("predicted on " + topology + " (" + topology.description() + "), model " + options.modelName() +
            options.perturbations() + ":");
        printCandidates(out, candidates, simulator, order);
        found.refused().forEach(refusal -> out.println("  unavailable: " + refusal.reason()));
        out.println();
        printSchedule(out, chosen);
        out.flush();
        return 0;
    }

    /** Prints how ranks reach each other with this environment, or over the wire of the given model. */
    private void printRoutes(final PrintWriter out, final HostMap hosts, final WireKind across)
    {
        if (hosts.number() > 1)
        {
            final boolean isShared = Communicators.sharesMemoryWithinHosts(JoinOptions.ofEnvironment().settings());
            out.println(RouteSummary.text(rank, size, peer ->
                isShared && hosts.host(peer) == hosts.host(rank) ? "shared memory" :
                across == WireKind.TCP ? "TCP" : "an RDMA device"));
        }
    }

    /**
     * The requested operation. A user-defined operation gets an arbitrary function, because only the kind of an
     * operation matters here.
     */
    private ReduceOp op(final DataType type)
    {
        final boolean isUsers = opName.equals(USER);
        if (isNonCommutative && !isUsers)
        {
            throw ModelOptions.wrong(
                spec, "--noncommutative: -o=" + opName + " is commutative: must be given with -o user");
        }
        try
        {
            final ReduceOp op = isUsers ? ReduceOp.ofSegments(USER, (left, right, results, count) ->
                {
                }) :
                opName.equals(MULSUM) ? ReduceOp.premulSum(2) : ReduceOp.named(opName);
            op.requireDefinedOn(type);
            return isNonCommutative ? op.nonCommutative() : op;
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(
                spec.commandLine(), "-o=" + opName + ": " + e.getMessage() + "; or " + MULSUM + ", " + USER, e);
        }
    }

    private static void printCandidates(
        final PrintWriter out, final List<Candidate> candidates, final Simulator simulator, final OperandOrder order)
    {
        final List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "ALGORITHM", "SEGMENT", "WINDOW", "TIME/US", "SENDS", "BYTES", "HOW"));
        for (final Candidate candidate : candidates)
        {
            final List<String> row = new ArrayList<>(List.of(
                candidate.isChosen() ? "*" : candidate.isFit() ? "" : "-", candidate.choice().algorithm().name(),
                new ByteSize(candidate.segmentBytes()).toString(), Integer.toString(candidate.choice().window())));
            try
            {
                final Prediction found = candidate.predict(simulator);
                row.add(String.format(Locale.ROOT, "%.2f", found.seconds() * 1e6));
                final boolean isCounted = !Double.isNaN(found.messages());
                row.add(isCounted ? String.format(Locale.ROOT, "%.1f", found.messages()) : "-");
                row.add(isCounted ? String.format(Locale.ROOT, "%.0f", found.bytes()) : "-");
                row.add(MethodText.describe(found));
            }
            catch (final IllegalArgumentException e)
            {
                row.addAll(List.of("-", "-", "-", e.getMessage()));
            }
            rows.add(row);
        }
        Columns.print(out, "  ", rows, 2, 3, 4, 5, 6);
        out.println("  * marks the algorithm that a run uses; SENDS and BYTES are the mean per rank");
        if (!candidates.stream().allMatch(Candidate::isFit))
        {
            out.println("  - marks algorithms that no run uses: they combine operands in an order other than the " +
                "required one (" + order.reason() + ")");
        }
    }

    private void printSchedule(final PrintWriter out, final Candidate chosen)
    {
        final var call = chosen.call();
        final List<String> lines =
            SchedulePrinter.print(chosen.choice().algorithm().name(), call.schedule(rank)).lines().toList();
        final boolean isShort = isAll || lines.size() <= 2 * SHORT + 1;
        if (isShort)
        {
            lines.forEach(out::println);
            return;
        }
        lines.subList(0, SHORT + 1).forEach(out::println);
        out.println("  ... " + (lines.size() - 1 - 2 * SHORT) + " more steps; --all shows them");
        lines.subList(lines.size() - SHORT, lines.size()).forEach(out::println);
    }
}
