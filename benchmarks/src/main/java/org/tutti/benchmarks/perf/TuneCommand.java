/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.bootstrap.JobEnvironment;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.comm.Communicators;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.RuleScope;
import org.tutti.collectives.select.TuningTable;
import org.tutti.launcher.JobCommand;
import org.tutti.launcher.OptionRules;
import org.tutti.tools.options.SizeOptions;
import org.tutti.tools.options.SizeSweep;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The job {@code tune}: measures which algorithm is fastest on these ranks, and writes a tuning table. */
@Command(
    name = "tune",
    description = "Measures all algorithms on these ranks, and writes a table of the fastest for each size.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
        "",
        "Examples:",
        "  tutti run -np 4 tune -o host.tuning",
        "  tutti run -np 4 tune allreduce broadcast -o host.tuning",
        "  TUTTI_TUNING=host.tuning tutti run -np 4 perf allreduce",
        "  TUTTI_TUNING=host.tuning tutti explain allreduce 64k -np 4 --topology host",
    })
public final class TuneCommand implements JobCommand
{
    private static final int MAX_ROUNDS = 1000;
    private static final int MAX_BUDGET_MS = 60_000;

    @Parameters(paramLabel = "COLLECTIVE", arity = "0..*",
        description = "Collectives such as allreduce (default: all with more than one algorithm).")
    private List<String> collectives = List.of();

    @Option(names = { "-o", "--output" }, paramLabel = "FILE", required = true,
        description = "The tuning table. Entries of other collectives and numbers of ranks are kept.")
    private Path output;

    @Mixin
    private final SizeOptions sizes = new SizeOptions("16", "16M", 4);

    @Option(names = { "-R", "--rounds" }, paramLabel = "N", defaultValue = "3",
        description = "Number of measurements of each algorithm; the minimum counts (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--budget", paramLabel = "MS", defaultValue = "20",
        description = "Time per algorithm, size and round (default: ${DEFAULT-VALUE}).")
    private int budgetMs;

    @Option(names = "--without", paramLabel = "ALGORITHM", split = ",",
        description = "Excludes algorithms, such as one_shot, or allreduce:ring for one collective only.")
    private Set<String> without = Set.of();

    @Option(names = "--times", paramLabel = "FILE",
        description = "Also writes all times to FILE, as CSV for tutti calibrate.")
    private Path times;

    @Spec
    private CommandSpec spec;

    /** Required by {@link java.util.ServiceLoader}. */
    public TuneCommand()
    {
    }

    @Override
    public void check(final int size)
    {
        // The launcher assumes that algorithms that load peers' memory are available: only ranks have the settings that
        // decide this.
        checkOptions(size, true);
        checkOutput(size);
    }

    private void checkOptions(final int size, final boolean isDirect)
    {
        require(size >= 2, "-np=" + size, "must be at least 2, as in tutti run -np 4 tune -o " + output);
        sizes.check(spec, 1, "");
        require(rounds >= 1 && rounds <= MAX_ROUNDS, "-R=" + rounds, "must be from 1 to " + MAX_ROUNDS);
        require(budgetMs >= 1 && budgetMs <= MAX_BUDGET_MS, "--budget=" + budgetMs,
            "must be from 1 to " + MAX_BUDGET_MS);
        final String overrides = System.getenv(AlgorithmSelector.ENVIRONMENT_VARIABLE);
        require(overrides == null || overrides.isBlank(), AlgorithmSelector.ENVIRONMENT_VARIABLE + "=" + overrides,
            "must not be set, because tune measures all algorithms");
        require(!Communicators.isReproducible(JoinOptions.ofEnvironment().settings()), "TUTTI_REPRODUCIBLE=1",
            "must not be set, because it replaces most algorithms by reproducible ones");
        checkWithout(operations(), isDirect);
    }

    private void checkWithout(final List<Operation> operations, final boolean isDirect)
    {
        for (final String name : without)
        {
            require(operations.stream().anyMatch(operation -> TunePlan.algorithms(operation, Set.of(), true).size() >
                TunePlan.algorithms(operation, Set.of(name), true).size()),
                "--without=" + name, "must be an algorithm of a measured collective: " + operations.stream()
                .flatMap(operation -> TunePlan.algorithms(operation, Set.of(), true).stream()).distinct()
                .collect(Collectors.joining(", ")));
        }
        for (final Operation operation : operations)
        {
            final List<String> left = TunePlan.algorithms(operation, without, isDirect);
            require(left.size() > 1, "--without=" + String.join(",", without), "must leave at least two algorithms " +
                "of " + operation.label() + " to choose from, not " + left);
        }
    }

    /** Checks the output file in both processes that need it: the launcher, before it starts ranks, and rank 0. */
    private void checkOutput(final int size)
    {
        require(TuneFile.of(output).canBeWritten(),
            "--output=" + output, "must be a file in a writable directory");
        require(times == null || TuneFile.of(times).canBeWritten(),
            "--times=" + times, "must be a file in a writable directory");
        kept(size, RuleScope.ANY);
    }

    @Override
    public Integer call()
    {
        final JobEnvironment environment = JobEnvironment.read(JoinOptions.ofEnvironment().settings());
        final int size = environment.size();
        final boolean isDirect = Communicators.isDirect(JoinOptions.ofEnvironment().settings());
        checkOptions(size, isDirect);
        if (environment.rank() == 0)
        {
            checkOutput(size);
        }
        final SizeSweep sweep = new SizeSweep(sizes.min(), sizes.max(), 0, sizes.factor());
        final TunePlan plan = TunePlan.of(operations(), size, sweep, without, isDirect);
        System.setProperty("tutti.algorithm", plan.overrides());
        try (Communicator communicator = Communicator.world())
        {
            final String problem = times == null ? "" : timesProblem(Communicators.hosts(communicator));
            require(problem.isEmpty(), "--times=" + times, problem);
            final TuneResult result = new TuneRun(plan, communicator, rounds, budgetMs).run();
            return communicator.rank() > 0 ? 0 : report(result, communicator, System.out);
        }
    }

    /** Why times between these hosts would not show the costs of one wire; empty if they do. */
    static String timesProblem(final HostMap hosts)
    {
        return hosts.isHierarchical() ? "must be measured on one host, or with one rank on each of several, as in " +
            "tutti run --host a:1,b:1 tune, not with " + hosts.largest() + " ranks on one of " + hosts.number() +
            " hosts: tutti calibrate fits the costs of one wire" : "";
    }

    private int report(final TuneResult result, final Communicator communicator, final PrintStream out)
    {
        final HostMap hosts = Communicators.hosts(communicator);
        final AlgorithmSelector selector = Communicators.selector(communicator);
        final RuleScope scope = RuleScope.of(hosts, selector.wires().of(hosts));
        print(result, UntunedChoices.of(result, selector, hosts), out);
        final String about = " on " + LocalDate.now(ZoneOffset.UTC) + ": " + communicator.size() + " ranks, " +
            communicator.transport() + ", " + sizes.min() + " to " + sizes.max() + " bytes";
        final List<String> lines = new ArrayList<>();
        lines.add(TuningTable.HEAD + about);
        lines.addAll(result.lines(communicator.size(), scope));
        try
        {
            TuneFile.of(output).write(kept(communicator.size(), scope), lines);
        }
        catch (final IOException e)
        {
            System.err.println("tune: --output=" + output + ": cannot write: " + e);
            return 1;
        }
        if (times != null && !writeTimes(result, communicator.size(), "# by tutti run tune" + about))
        {
            return 1;
        }
        out.println("# wrote " + output + "; " + TuningTable.ENVIRONMENT_VARIABLE + "=" + output +
            " selects its algorithms");
        return 0;
    }

    private boolean writeTimes(final TuneResult result, final int size, final String head)
    {
        final List<String> lines = new ArrayList<>(List.of(head));
        lines.addAll(result.times(size));
        try
        {
            Files.write(times, lines);
            return true;
        }
        catch (final IOException e)
        {
            System.err.println("tune: --times=" + times + ": cannot write: " + e);
            return false;
        }
    }

    /** Prints a table of the times, with the chosen algorithm of each size, and the one without a table. */
    static void print(final TuneResult result, final UntunedChoices untuned, final PrintStream out)
    {
        final int[] choices = result.choices();
        for (int i = 0; i < choices.length; i++)
        {
            final TunePlan.TuneCase aCase = result.plan().cases().get(i);
            if (result.isFirst(i))
            {
                out.println("# " + aCase.operation().label() +
                    ", microseconds; * marks the chosen algorithm, + the one without a table if it is another");
                out.println(row("size", aCase.algorithms(), -1, -1));
            }
            final double[] times = result.timesUs().get(i);
            out.println(row(Long.toString(aCase.bytes()), Arrays.stream(times)
                .mapToObj(time -> Double.isInfinite(time) ? "-" : String.format(Locale.ROOT, "%.2f", time)).toList(),
                choices[i], untuned.indexes().get(i)));
        }
        out.println("# " + untuned.summary());
    }

    private static String row(final String first, final List<String> others, final int chosen, final int untuned)
    {
        final StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%12s", first));
        for (int i = 0; i < others.size(); i++)
        {
            text.append(String.format(Locale.ROOT, " %18s%s", others.get(i),
                i == chosen ? "*" : i == untuned ? "+" : " "));
        }
        return text.toString().stripTrailing();
    }

    private List<Operation> operations()
    {
        if (collectives.isEmpty())
        {
            return TunePlan.tunable();
        }
        final List<Operation> found = new ArrayList<>();
        for (final String name : collectives)
        {
            found.add(TunePlan.tunable().stream().filter(operation -> operation.label().equals(name)).findFirst()
                .orElseThrow(() -> new ParameterException(spec.commandLine(), "no tunable collective \"" + name +
                    "\": must be one of " + TunePlan.tunable().stream().map(Operation::label)
                    .collect(Collectors.joining(", ")))));
        }
        return found.stream().distinct().toList();
    }

    /**
     * Lines of the output file that are kept, because they are for other collectives, numbers of ranks, wires or
     * placements than this job measures.
     */
    private List<String> kept(final int size, final RuleScope scope)
    {
        try
        {
            return TuneFile.of(output).without(operations().stream().map(TunePlan::collective).toList(), size,
                scope);
        }
        catch (final ConfigurationException e)
        {
            throw new ParameterException(spec.commandLine(), "--output: " + e.getMessage() +
                "; correct or remove the file", e);
        }
    }

    private void require(final boolean isGood, final String given, final String rule)
    {
        OptionRules.require(spec, isGood, given, rule);
    }
}
