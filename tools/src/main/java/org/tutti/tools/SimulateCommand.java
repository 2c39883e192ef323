/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.launcher.ByteSize;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.tools.simulate.Perturbation;
import org.tutti.tools.simulate.Simulator;
import org.tutti.tools.simulate.Topology;
import org.tutti.launcher.ToolCommand;
import org.tutti.tools.options.SizeOptions;
import org.tutti.tools.options.SizeSweep;
import org.tutti.tools.report.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tutti simulate}: predicts the time of calls on machines that need not exist. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = "Predicts how long a collective takes with each algorithm, on many ranks and any network.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
        "  tutti simulate allreduce -np 64,1024 -b 4 -e 1G --topology fat-tree:64",
        "  tutti simulate allreduce -np 64 --topology hosts:8+fat-tree:16,2 --html plots.html",
        "  tutti simulate broadcast -np 256 -b 1M -e 1M --straggler '1%%:4' --loss 1e-6 --seed 7",
        "",
        "docs/simulator.md describes the predictions and their accuracy."})
public final class SimulateCommand implements ToolCommand
{
    @Parameters(index = "0", paramLabel = "COLLECTIVE", description = "Collective, such as allreduce.")
    private String collectiveName;

    @Option(names = { "-np", "-n" }, paramLabel = "N[,N...]", split = ",", required = true,
        description = "Numbers of ranks.")
    private List<Integer> sizes;

    @Mixin
    private final SizeOptions bytes = new SizeOptions("4", "1G", 16);

    @Option(names = "--algorithm", paramLabel = "NAME[,NAME...]", split = ",",
        description = "Algorithms to predict (default: all of the collective).")
    private List<String> algorithms;

    @Option(names = "--json", description = "Prints JSON instead of the table.")
    private boolean isJson;

    @Option(names = "--html", paramLabel = "FILE", description = "Also writes an HTML page with plots.")
    private Path html;

    @Option(names = "--gantt", paramLabel = "N:SIZE[:ALGORITHM]",
        description = "Call whose timeline the page shows (default: up to 16 ranks, about 1M, the chosen algorithm).")
    private String gantt;

    @Mixin
    private ModelOptions options;

    @Spec
    private CommandSpec spec;

    private final Map<Integer, Simulator> simulators = new HashMap<>();
    private final List<Unavailable> unavailable = new ArrayList<>();

    @Override
    public Integer call() throws IOException
    {
        final Collective collective = ModelOptions.collective(spec, collectiveName);
        check(collective);
        final CostModel model = options.model(spec);
        final Perturbation perturbation = options.perturbation(spec);
        sizes.forEach(size ->
            simulators.put(size, new Simulator(model, options.topology(spec, size), perturbation)));
        // The timeline comes first, because it checks --gantt and the predictions take long.
        final Gantt steps = html == null ? null : gantt(collective, model, perturbation);
        final List<Simulated> results = simulate(collective);
        final PrintWriter out = spec.commandLine().getOut();
        if (isJson)
        {
            out.print(Json.write(new SimulatedJson(collective, options, model, spec).of(results, unavailable)));
        }
        else
        {
            printTable(out, collective, results);
        }
        if (html != null)
        {
            Files.writeString(html, new SimulatedPage(collective, options, spec, results, unavailable).write(steps));
            spec.commandLine().getErr().println("tutti simulate: wrote " + html);
        }
        out.flush();
        return 0;
    }

    private void check(final Collective collective)
    {
        sizes.stream().filter(size -> size < 1 || size > 1 << 20).findFirst().ifPresent(size ->
        {
            throw ModelOptions.wrong(spec, "-np=" + size + ": must be from 1 to " + (1 << 20));
        });
        bytes.check(spec, 0, "");
        for (final String name : algorithms == null ? List.<String>of() : algorithms)
        {
            try
            {
                Algorithms.named(collective, name);
            }
            catch (final IllegalArgumentException e)
            {
                throw ModelOptions.wrong(spec, e.getMessage());
            }
        }
        if (html != null && (Files.isDirectory(html) || !Files.isDirectory(html.toAbsolutePath().getParent())))
        {
            throw ModelOptions.wrong(spec, "--html=" + html + ": must be a file in an existing directory");
        }
    }

    private List<Simulated> simulate(final Collective collective)
    {
        final int elementSize = options.type(spec).size();
        final List<Simulated> open = new ArrayList<>();
        for (final int size : sizes)
        {
            final HostMap hosts = options.topology(spec, size).hosts(size);
            final AlgorithmSelector selector = options.selector(spec, hosts);
            for (final long length : lengths(collective, elementSize))
            {
                final Candidate.Shape shape = new Candidate.Shape(
                    collective, hosts, length, elementSize, options.root(spec, size));
                final Candidates found = Candidates.of(selector, shape);
                found.available().stream().filter(each -> isAsked(each.choice().algorithm().name()))
                    .forEach(each -> open.add(new Simulated(size, each, null, null)));
                found.refused().stream().filter(each -> isAsked(each.algorithm()))
                    .forEach(each -> unavailable.add(new Unavailable(size, shape.length(), each)));
            }
        }
        for (final String name : algorithms == null ? List.<String>of() : algorithms)
        {
            requireAvailable(name, open);
        }
        return open.parallelStream().map(this::predict).toList();
    }

    private boolean isAsked(final String algorithm)
    {
        return algorithms == null || algorithms.contains(algorithm);
    }

    /** Throws if a requested algorithm is not used, or if none of the requested can be built. */
    private void requireAvailable(final String name, final List<Simulated> open)
    {
        final Optional<String> refusal = unavailable.stream().map(Unavailable::refusal)
            .filter(each -> each.algorithm().equals(name)).map(Candidates.Refusal::message).findFirst();
        if (refusal.isPresent() ? open.isEmpty() :
            open.stream().noneMatch(each -> each.candidate().choice().algorithm().name().equals(name)))
        {
            throw ModelOptions.wrong(spec, "--algorithm=" + name + ": " + refusal.orElseGet(() -> "not used on " +
                options.topology(spec, sizes.getFirst()) + " with this environment: it needs ranks of one host, as " +
                "--topology host, whose TUTTI_TRANSPORT and TUTTI_DIRECT let them load each other's memory"));
        }
    }

    private Simulated predict(final Simulated open)
    {
        try
        {
            return new Simulated(open.size(), open.candidate(),
                open.candidate().predict(simulators.get(open.size())), null);
        }
        catch (final IllegalArgumentException e)
        {
            return new Simulated(open.size(), open.candidate(), null, e.getMessage());
        }
    }

    private long[] lengths(final Collective collective, final int elementSize)
    {
        return collective == Collective.BARRIER ? new long[] {0} :
            new SizeSweep(Math.max(bytes.min(), elementSize), Math.max(bytes.max(), elementSize), 0, bytes.factor())
                .counts(1);
    }

    private void printTable(final PrintWriter out, final Collective collective, final List<Simulated> results)
    {
        out.println("# tutti simulate " + ModelOptions.nameOf(collective) + ", model " + options.modelName() +
            ", seed " + options.seed() + (options.perturbations().isEmpty() ? "" : "," + options.perturbations()));
        sizes.forEach(size ->
        {
            final Topology topology = options.topology(spec, size);
            out.println("# " + size + " ranks on " + topology + ": " + topology.description());
        });
        final List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "RANKS", "SIZE", "ALGORITHM", "SEGMENT", "WINDOW", "TIME/US", "ALGBW/GB/S", "HOW"));
        results.forEach(result -> rows.add(row(result)));
        Columns.print(out, "", rows, 1, 2, 4, 5, 6, 7);
        out.println("# * marks the algorithm that a run would use");
        Unavailable.lines(unavailable).forEach(line -> out.println("# " + line));
        ChoiceMap.summary(results).ifPresent(line -> out.println("# " + line));
    }

    private static List<String> row(final Simulated result)
    {
        final Candidate candidate = result.candidate();
        final boolean isKnown = result.prediction() != null;
        return List.of(
            candidate.isChosen() ? "*" : "", Integer.toString(result.size()),
            new ByteSize(candidate.bytes()).toString(),
            candidate.choice().algorithm().name(), new ByteSize(candidate.segmentBytes()).toString(),
            Integer.toString(candidate.choice().window()),
            isKnown ? String.format(Locale.ROOT, "%.2f", result.timeUs()) : "-",
            isKnown ? String.format(Locale.ROOT, "%.3f", result.algBwGbs()) : "-",
            isKnown ? MethodText.describe(result.prediction()) : result.problem());
    }

    private Gantt gantt(final Collective collective, final CostModel model, final Perturbation perturbation)
    {
        final String[] parts = gantt == null ? new String[0] : gantt.split(":", 3);
        if (gantt != null && (parts.length < 2 || !parts[0].matches("[0-9]{1,4}")))
        {
            throw ModelOptions.wrong(spec, "--gantt=" + gantt + ": must be N:SIZE or N:SIZE:ALGORITHM, as 8:64k:ring");
        }
        final int smallest = sizes.stream().mapToInt(Integer::intValue).min().orElseThrow();
        final int size = gantt != null ? Integer.parseInt(parts[0]) :
            sizes.stream().mapToInt(Integer::intValue).filter(each -> each <= Gantt.RANKS).max().orElse(Gantt.RANKS);
        if (size < 1 || size > Gantt.MAX_RANKS)
        {
            throw ModelOptions.wrong(spec, "--gantt=" + gantt + ": ranks must be from 1 to " + Gantt.MAX_RANKS);
        }
        final long length = gantt == null ? Math.clamp(1L << 20, bytes.min(), bytes.max()) :
            ByteSize.of(parts[1]).bytes();
        final Topology topology = options.topology(spec, size);
        final HostMap hosts = topology.hosts(size);
        final List<Candidate> candidates = Candidate.all(options.selector(spec, hosts), new Candidate.Shape(
            collective, hosts, length, options.type(spec).size(),
            Math.min(options.root(spec, smallest), size - 1)));
        final Candidate shown = candidates.stream()
            .filter(candidate -> parts.length == 3 ? candidate.choice().algorithm().name().equals(parts[2]) :
                candidate.isChosen())
            .findFirst().or(() -> parts.length == 3 ? Optional.empty() : candidates.stream().findFirst())
            .orElseThrow(() -> ModelOptions.wrong(spec, "--gantt=" + gantt + ": unknown algorithm \"" +
                parts[2] + "\": must be one of " + String.join(", ", candidates.stream()
                .map(candidate -> candidate.choice().algorithm().name()).toList())));
        return Gantt.of(shown, size, topology, new Simulator(model, topology, perturbation));
    }
}
