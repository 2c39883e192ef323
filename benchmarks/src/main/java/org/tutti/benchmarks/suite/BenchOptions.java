/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.benchmarks.perf.Counts;
import org.tutti.benchmarks.perf.CountsOption;
import org.tutti.benchmarks.perf.IterationOptions;
import org.tutti.benchmarks.perf.Operation;
import org.tutti.launcher.OptionRules;
import org.tutti.tools.options.SizeOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a user of {@code tutti bench} may say, and what may not be said. */
final class BenchOptions
{
    /** What MPI has. */
    private static final List<Operation> OPERATIONS = List.of(
        Operation.ALLREDUCE, Operation.BROADCAST, Operation.REDUCE, Operation.ALLGATHER, Operation.REDUCE_SCATTER,
        Operation.GATHER, Operation.SCATTER, Operation.ALLTOALL, Operation.SCAN, Operation.EXSCAN, Operation.SENDRECV,
        Operation.BARRIER, Operation.ALLGATHERV, Operation.REDUCE_SCATTERV, Operation.GATHERV, Operation.SCATTERV,
        Operation.ALLTOALLV);
    private static final int MOST_RANKS = 64;
    private static final int MOST_ROUNDS = 1000;
    private static final long MOST_BYTES = 1L << 32;

    @Parameters(paramLabel = "COLLECTIVE", arity = "0..*",
        description = "allreduce, broadcast, reduce, allgather, reduce_scatter, gather, scatter, alltoall, scan, " +
            "exscan, sendrecv, barrier (default: all of these). Only if they are named, as they do nearly the same: " +
            "allgatherv, reduce_scatterv (MPI_Reduce_scatter), gatherv, scatterv, alltoallv, with a length for " +
            "each block.")
    private List<String> collectives = List.of();

    @Option(names = "-np", paramLabel = "N[,N...]", split = ",", defaultValue = "2",
        description = "How many ranks (default: ${DEFAULT-VALUE}).")
    private List<Integer> ranks;

    @Option(names = { "-R", "--rounds" }, paramLabel = "N", defaultValue = "5",
        description = "Each runs all peers, a different one first; up to three times as many are run while the host " +
            "moves this machine's processors away from each other (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Mixin
    private final SizeOptions sizes = new SizeOptions("4", "64M", 4);

    @Mixin
    private IterationOptions iterations;

    @Mixin
    private CountsOption counts;

    @Option(names = Case.COLD,
        description = "Times the first calls of programs that have just started, 1 to 30,000 of them together, of " +
            "one size: give -b and -e alike. Nothing is warmed up or timed again.")
    private boolean isCold;

    @Option(names = "--in-place", description = "Takes the times in place where there are both.")
    private boolean isInPlace;

    @Option(names = "--bind", paramLabel = "core|none", defaultValue = "none",
        description = "Of all that can bind ranks to cores (default: ${DEFAULT-VALUE}).")
    private String bind;

    @Option(names = "--peers", paramLabel = "NAME[,NAME...]", split = ",",
        description = "openmpi, mpich, gloo, roofline (default: those that are here).")
    private List<String> peers = List.of();

    @Option(names = "--limit", paramLabel = "SECONDS", defaultValue = "300",
        description = "How long one run of one program may take (default: ${DEFAULT-VALUE}).")
    private int limitSeconds;

    @Option(names = "--row-limit", paramLabel = "MS", defaultValue = "500",
        description = "Peers that are slow make fewer iterations, at least 5, so that a row takes about so long " +
            "(default: ${DEFAULT-VALUE}).")
    private int rowLimitMs;

    @Option(names = "--install", description = "Installs what is missing rather than naming it (Debian, as root).")
    private boolean isInstalling;

    @Option(names = { "-o", "--output" }, paramLabel = "DIRECTORY",
        description = "Where report.html, report.csv and report.json go (default: benchmarks/target/bench).")
    private Path output;

    @Option(names = "--save", paramLabel = "NAME",
        description = "Also keeps the run, as benchmarks/history/NAME.csv.")
    private String save;

    @Option(names = "--jfr",
        description = "Afterwards runs Tutti once more for each case, with a JDK flight recording of each rank, in " +
            "the output's directory jfr; these runs are not reported.")
    private boolean isRecording;

    @Option(names = "--markdown", description = "Prints the table of the README.")
    private boolean isMarkdown;

    @Option(names = "--from", paramLabel = "FILE[,FILE...]", split = ",",
        description = "Measures nothing, and reports runs that were saved.")
    private List<Path> from = List.of();

    @Option(names = "--renew", paramLabel = "FILE",
        description = "Measures nothing, and renews the tables of a document, such as README.md, from the runs that " +
            "the comments around them name.")
    private Path renewed;

    private Counts rule;

    /**
     * Checks the values.
     *
     * @throws ParameterException naming the option, its value and what it may be.
     */
    void check(final CommandSpec spec)
    {
        requireAlone(spec, "--renew", List.of());
        requireAlone(spec, "--from", List.of("--output", "--markdown"));
        ranks.forEach(each -> OptionRules.require(spec, each >= 2 && each <= MOST_RANKS, "-np=" + each,
            "must be from 2 to " + MOST_RANKS));
        OptionRules.require(spec, rounds >= 1 && rounds <= MOST_ROUNDS, "-R=" + rounds,
            "must be from 1 to " + MOST_ROUNDS);
        sizes.check(spec, Float.BYTES, ", a float");
        OptionRules.require(
            spec, sizes.max() <= MOST_BYTES, "-e=" + sizes.max(), "must be at most 4G, which MPI can count");
        iterations.check(spec);
        OptionRules.require(spec, !isCold || sizes.min() == sizes.max(),
            "--cold with -b=" + sizes.min() + " and -e=" + sizes.max(),
            "must be given with one size: -b and -e alike, such as -b 4k -e 4k");
        OptionRules.require(spec, !isCold || (iterations.areBySize() && !isInPlace && !isRecording), "--cold",
            "must be given without -n, -w, --in-place and --jfr");
        OptionRules.require(spec, bind.equals("core") || bind.equals("none"), "--bind=" + bind,
            "must be core or none");
        OptionRules.require(spec, limitSeconds >= 1, "--limit=" + limitSeconds, "must be at least 1");
        OptionRules.require(spec, rowLimitMs >= 1, "--row-limit=" + rowLimitMs, "must be at least 1");
        OptionRules.require(spec, save == null || save.matches("[A-Za-z0-9._-]+"), "--save=" + save,
            "must be letters, digits, '.', '_' and '-'");
        collectives.forEach(name -> OptionRules.require(spec, OPERATIONS.stream().anyMatch(
            each -> each.label().equals(name)), "collective " + name, "must be one of " +
            OPERATIONS.stream().map(Operation::label).collect(Collectors.joining(", "))));
        rule = counts.rule(spec, operations()).orElse(null);
        peers.forEach(name -> OptionRules.require(spec, Arrays.stream(PeerKind.values()).anyMatch(
            each -> each.option().equals(name)), "--peers=" + name, "must be one of " +
            Arrays.stream(PeerKind.values()).map(PeerKind::option).collect(Collectors.joining(", "))));
    }

    /** Refuses all that an option that measures nothing would pass over in silence. */
    private static void requireAlone(final CommandSpec spec, final String option, final List<String> companions)
    {
        final ParseResult given = spec.commandLine().getParseResult();
        final List<String> others = Stream.concat(
            given.matchedPositionals().stream().flatMap(each -> each.stringValues().stream()),
            given.matchedOptions().stream().map(OptionSpec::longestName)
                .filter(name -> !name.equals(option) && !companions.contains(name))).distinct().toList();
        OptionRules.require(spec, !given.hasMatchedOption(option) || others.isEmpty(),
            option + " with " + String.join(", ", others), option + " measures nothing, and goes with " +
            (companions.isEmpty() ? "nothing else" : "no more than " + String.join(" and ", companions)));
    }

    /** What was named, else all but those with counts, which by default do nearly what those without do. */
    private List<Operation> operations()
    {
        return OPERATIONS.stream()
            .filter(each -> collectives.isEmpty() ? !each.hasCounts() : collectives.contains(each.label())).toList();
    }

    /** What to measure, number of ranks by number of ranks. */
    List<Case> cases()
    {
        return ranks.stream().distinct().flatMap(size -> operations().stream()
            .map(each -> Case.of(each, isInPlace, size, bind, options(each, size)))).toList();
    }

    /** The words beyond the defaults. */
    private String options(final Operation of, final int size)
    {
        final List<String> options = new ArrayList<>();
        if (isCold)
        {
            options.add(of == Operation.BARRIER ? Case.COLD : Case.COLD + " -b " + Case.first(of, sizes.min(), size) +
                " -e " + Case.first(of, sizes.min(), size));
        }
        if (iterations.timed() > 0)
        {
            options.add("-n " + iterations.timed());
        }
        if (iterations.untimed() >= 0)
        {
            options.add("-w " + iterations.untimed());
        }
        if (of.hasCounts() && rule != null)
        {
            options.add("--counts " + rule.label());
        }
        return String.join(" ", options);
    }

    /** The plan of a run. */
    SuitePlan plan(final List<Peer> peers)
    {
        return new SuitePlan(cases(), peers, rounds, sizes.min(), sizes.max(), sizes.factor());
    }

    /** The peers that the user names; none if the installed ones will do. */
    List<PeerKind> peers()
    {
        return Arrays.stream(PeerKind.values()).filter(each -> peers.contains(each.option())).toList();
    }

    int limitSeconds()
    {
        return limitSeconds;
    }

    int rowLimitMs()
    {
        return rowLimitMs;
    }

    boolean isInstalling()
    {
        return isInstalling;
    }

    /** Null for the usual directory. */
    Path output()
    {
        return output;
    }

    /** Null for none. */
    String save()
    {
        return save;
    }

    boolean isRecording()
    {
        return isRecording;
    }

    boolean isMarkdown()
    {
        return isMarkdown;
    }

    List<Path> from()
    {
        return from;
    }

    /** Null for none. */
    Path renewed()
    {
        return renewed;
    }
}
