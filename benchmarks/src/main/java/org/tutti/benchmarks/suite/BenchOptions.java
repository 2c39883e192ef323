/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.benchmarks.perf.CountsRule;
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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Options of {@code tutti bench}, and their validation. */
final class BenchOptions
{
    /** Operations that MPI has. */
    private static final List<Operation> OPERATIONS = List.of(
        Operation.ALLREDUCE, Operation.BROADCAST, Operation.REDUCE, Operation.ALLGATHER, Operation.REDUCE_SCATTER,
        Operation.GATHER, Operation.SCATTER, Operation.ALLTOALL, Operation.SCAN, Operation.EXSCAN, Operation.SENDRECV,
        Operation.BARRIER, Operation.ALLGATHERV, Operation.REDUCE_SCATTERV, Operation.GATHERV, Operation.SCATTERV,
        Operation.ALLTOALLV);
    private static final String ALLOCATED = "allocated";
    private static final int MOST_RANKS = 64;
    private static final int MOST_ROUNDS = 1000;
    private static final long MOST_BYTES = 1L << 32;

    @Parameters(paramLabel = "COLLECTIVE", arity = "0..*",
        description = "allreduce, broadcast, reduce, allgather, reduce_scatter, gather, scatter, alltoall, scan, " +
            "exscan, sendrecv, barrier (default: all of these). Only on request, because they are nearly the same: " +
            "allgatherv, reduce_scatterv (MPI_Reduce_scatter), gatherv, scatterv, alltoallv, with a length for " +
            "each block.")
    private List<String> collectives = List.of();

    @Option(names = "-np", paramLabel = "N[,N...]", split = ",", defaultValue = "2",
        description = "Numbers of ranks (default: ${DEFAULT-VALUE}).")
    private List<Integer> ranks;

    @Option(names = { "-R", "--rounds" }, paramLabel = "N", defaultValue = "5",
        description = "Number of rounds. Each runs all peers, starting with a different one; up to three times " +
            "as many run if the core-to-core latency of a virtual machine changes (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Mixin
    private final SizeOptions sizes = new SizeOptions("4", "64M", 4);

    @Mixin
    private IterationOptions iterations;

    @Mixin
    private CountsOption counts;

    @Option(names = Case.COLD,
        description = "Times the first calls of processes that have just started, from 1 to 30,000 calls, of one " +
            "size: -b and -e must be equal. There is no warm-up, and nothing is timed again.")
    private boolean isCold;

    @Option(names = "--in-place", description = "Uses the in-place times of collectives that have both forms.")
    private boolean isInPlace;

    @Option(names = Case.MEMORY, paramLabel = "KIND", defaultValue = "allocated",
        description = "Memory of Tutti's buffers: allocated, registered or heap, as in perf. Buffers of the peers " +
            "are always memory of the caller (default: ${DEFAULT-VALUE}).")
    private String memory;

    @Option(names = "--bind", paramLabel = "core|none", defaultValue = "none",
        description = "Binding of ranks to cores, for programs that support it (default: ${DEFAULT-VALUE}).")
    private String bind;

    @Option(names = "--wire", paramLabel = "shm|tcp", defaultValue = "shm",
        description = "shm: each program uses what it chooses on one host, shared memory if it can. tcp: all use TCP " +
            "over the loopback interface only, whose traffic is checked (default: ${DEFAULT-VALUE}).")
    private String wireName;

    @Option(names = "--peers", paramLabel = "NAME[,NAME...]", split = ",",
        description = "openmpi, mpich, gloo, and roofline with --wire=shm or floor with --wire=tcp (default: those " +
            "installed).")
    private List<String> peers = List.of();

    @Option(names = "--limit", paramLabel = "SECONDS", defaultValue = "300",
        description = "Timeout of each run of a program (default: ${DEFAULT-VALUE}).")
    private int limitSeconds;

    @Option(names = "--row-limit", paramLabel = "MS", defaultValue = "500",
        description = "Slow peers make fewer iterations, at least 5, to keep the time of a row near this limit " +
            "(default: ${DEFAULT-VALUE}).")
    private int rowLimitMs;

    @Option(names = "--install", description = "Installs missing packages instead of listing them (Debian, as root).")
    private boolean isInstalling;

    @Option(names = { "-o", "--output" }, paramLabel = "DIRECTORY",
        description = "Directory of report.html, report.csv and report.json (default: benchmarks/target/bench).")
    private Path output;

    @Option(names = "--save", paramLabel = "NAME",
        description = "Also saves the run as benchmarks/history/NAME.csv, or tcp-NAME.csv with --wire=tcp.")
    private String save;

    @Option(names = "--jfr",
        description = "Runs Tutti once more for each case with a JDK flight recording of each rank, in the " +
            "subdirectory jfr of the output; these runs are not reported.")
    private boolean isRecording;

    @Option(names = "--markdown", description = "Prints a Markdown table, as in the README.")
    private boolean isMarkdown;

    @Option(names = "--from", paramLabel = "FILE[,FILE...]", split = ",",
        description = "Reports saved runs without measuring.")
    private List<Path> from = List.of();

    @Option(names = "--renew", paramLabel = "FILE",
        description = "Renews the tables of a document, such as README.md, without measuring, from the saved runs " +
            "that the comments around them name.")
    private Path renewed;

    private CountsRule rule;
    private Wire wire;

    /**
     * Validates the options.
     *
     * @throws ParameterException naming the option, its value and the valid values.
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
            spec, sizes.max() <= MOST_BYTES, "-e=" + sizes.max(), "must be at most 4G, the limit of MPI's counts");
        iterations.check(spec);
        OptionRules.require(spec, !isCold || sizes.min() == sizes.max(),
            "--cold with -b=" + sizes.min() + " and -e=" + sizes.max(),
            "must be given with one size: equal -b and -e, such as -b 4k -e 4k");
        OptionRules.require(spec, !isCold || (iterations.areBySize() && !isInPlace && !isRecording), "--cold",
            "must be given without -n, -w, --in-place and --jfr");
        OptionRules.require(spec, List.of(ALLOCATED, "registered", "heap").contains(memory), "--memory=" + memory,
            "must be allocated, registered or heap");
        OptionRules.require(spec, bind.equals("core") || bind.equals("none"), "--bind=" + bind,
            "must be core or none");
        wire = Wire.of(wireName).orElse(null);
        OptionRules.require(spec, wire != null, "--wire=" + wireName,
            "must be " + String.join(" or ", Wire.options()));
        OptionRules.require(spec, limitSeconds >= 1, "--limit=" + limitSeconds, "must be at least 1");
        OptionRules.require(spec, rowLimitMs >= 1, "--row-limit=" + rowLimitMs, "must be at least 1");
        OptionRules.require(spec, save == null || save.matches("[A-Za-z0-9._-]+"), "--save=" + save,
            "must consist of letters, digits, '.', '_' and '-'");
        OptionRules.require(spec, save == null || wire == Wire.TCP || !save.startsWith(Wire.TCP.fileName("")),
            "--save=" + save, "must start with '" + Wire.TCP.fileName("") + "' only with --wire=tcp");
        collectives.forEach(name -> OptionRules.require(spec, OPERATIONS.stream().anyMatch(
            each -> each.label().equals(name)), "collective " + name, "must be one of " +
            OPERATIONS.stream().map(Operation::label).collect(Collectors.joining(", "))));
        rule = counts.rule(spec, operations()).orElse(null);
        final List<String> known = PeerKind.over(wire).stream().map(PeerKind::option).toList();
        peers.forEach(name -> OptionRules.require(spec, known.contains(name), "--peers=" + name,
            "must be one of " + String.join(", ", known) + " with --wire=" + wireName));
    }

    /**
     * If an option is given with which nothing is measured, such as {@code --from}, rejects all other options except
     * its companions.
     */
    private static void requireAlone(final CommandSpec spec, final String option, final List<String> companions)
    {
        final ParseResult given = spec.commandLine().getParseResult();
        final List<String> others = Stream.concat(
            given.matchedPositionals().stream().flatMap(each -> each.stringValues().stream()),
            given.matchedOptions().stream().map(OptionSpec::longestName)
                .filter(name -> !name.equals(option) && !companions.contains(name))).distinct().toList();
        OptionRules.require(spec, !given.hasMatchedOption(option) || others.isEmpty(),
            option + " with " + String.join(", ", others), option + " measures nothing: must be given with " +
            (companions.isEmpty() ? "nothing else" : "at most " + String.join(" and ", companions)));
    }

    /**
     * The requested operations; by default all without counts, because operations with counts would use equal blocks
     * too and give nearly the same times.
     */
    private List<Operation> operations()
    {
        return OPERATIONS.stream()
            .filter(each -> collectives.isEmpty() ? !each.hasCounts() : collectives.contains(each.label())).toList();
    }

    /** The cases to measure, ordered by number of ranks. */
    List<Case> cases()
    {
        return ranks.stream().distinct().flatMap(size -> operations().stream()
            .map(each -> Case.of(each, isInPlace, size, bind, wire, options(each, size)))).toList();
    }

    /** Options of the measuring programs that differ from their defaults. */
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
        if (!memory.equals(ALLOCATED) && of != Operation.BARRIER)
        {
            options.add(Case.MEMORY + " " + memory);
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

    /** Whether the peers are those that the user named; otherwise they are the installed ones. */
    boolean arePeersNamed()
    {
        return !peers.isEmpty();
    }

    /** The named peers, or all over the wire. */
    List<PeerKind> peers()
    {
        return PeerKind.over(wire).stream().filter(each -> peers.isEmpty() || peers.contains(each.option())).toList();
    }

    Wire wire()
    {
        return wire;
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

    /** Output directory, or null for the default. */
    Path output()
    {
        return output;
    }

    /** Name of the file in which the run is saved, without its suffix, or null not to save it. */
    String save()
    {
        return save == null ? null : wire.fileName(save);
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

    /** Document to renew, or null for none. */
    Path renewed()
    {
        return renewed;
    }
}
