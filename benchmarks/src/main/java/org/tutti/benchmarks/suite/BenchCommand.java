/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.launcher.Terminal;
import org.tutti.launcher.ToolCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code tutti bench}: compares Tutti with other libraries on this host. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
        "Compares the times of Tutti and other libraries, its peers, on this host.",
        "All run the same collectives, sizes, averages and iterations (fewer for peers whose rows take longer " +
            "than --row-limit), interleaved so that background load affects all alike. Each peer first runs all rows " +
            "as a warm-up, and every value is checked. Runs count only if the core-to-core latency is close to the " +
            "lowest one measured.",
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
        "  tutti bench allreduce                             with two ranks",
        "  tutti bench -np 2,4,8 -R 3 --install              all collectives; installs the peers first",
        "  tutti bench allgatherv alltoallv --counts linear  blocks of different lengths",
        "  tutti bench allreduce --peers openmpi,roofline --save allreduce-2-ranks",
        "  tutti bench allreduce --wire tcp                  all over TCP, with the floor of TCP",
        "  tutti bench allreduce --cold -b 4k -e 4k          first calls of new processes",
        "  tutti bench --from benchmarks/history/allreduce-2-ranks.csv -o report",
        "  tutti bench allreduce -e 64k --jfr                with flight recordings of Tutti's ranks",
        "  tutti bench --renew README.md                     renews its tables from the saved runs",
    })
public final class BenchCommand implements ToolCommand
{
    private static final int INTERRUPTED = 130;

    @Mixin
    private BenchOptions options;

    @Spec
    private CommandSpec spec;

    /** Required by {@link java.util.ServiceLoader}. */
    public BenchCommand()
    {
    }

    @Override
    public Integer call() throws IOException
    {
        options.check(spec);
        if (options.renewed() != null)
        {
            ReportFiles.replace(options.renewed(), DocumentTables.of(options.renewed()));
            return 0;
        }
        if (!options.from().isEmpty())
        {
            return report();
        }
        final String home = System.getProperty("tutti.home");
        if (home == null || !Files.exists(Path.of(home, "benchmarks/peers/perf_loop.h")))
        {
            throw new SuiteException("no programs to compile in benchmarks/peers of " +
                home + ": run the script 'tutti' of a source checkout");
        }
        try (ShutdownHandler stop = ShutdownHandler.install())
        {
            final Path scratch = Files.createTempDirectory("tutti-bench");
            try
            {
                return measure(
                    Path.of(home), new Commands(scratch, Duration.ofSeconds(options.limitSeconds()), stop));
            }
            catch (final InterruptedException ex)
            {
                return INTERRUPTED;
            }
            finally
            {
                remove(scratch);
            }
        }
    }

    /** Reports saved runs. */
    private int report()
    {
        final List<CaseResult> results = new ArrayList<>();
        options.from().forEach(file -> results.addAll(SuiteCsv.read(file)));
        if (options.isMarkdown())
        {
            print(SuiteTable.markdown(results));
        }
        else
        {
            results.forEach(result -> print(SuiteTable.text(result) + "\n"));
            print(SuiteTable.legend(results));
        }
        if (options.output() != null)
        {
            ReportFiles.write(options.output(), new SuiteReport(words(), results, null));
        }
        return 0;
    }

    private int measure(final Path home, final Commands commands) throws InterruptedException
    {
        final PeerPrograms programs = PeerPrograms.of(home, commands);
        final List<Peer> peers = peers(programs);
        final SuitePlan requested = options.plan(peers);
        final SuitePlan plan = requested.ofSeveral();
        final String names = String.join(", ", peers.stream().skip(1).map(Peer::name).toList());
        if (plan.cases().isEmpty())
        {
            throw new ParameterException(spec.commandLine(), "none of " + names + " supports any of these cases with " +
                "--bind and --in-place: choose other --peers or collectives");
        }
        requested.cases().stream().filter(each -> !plan.cases().contains(each))
            .forEach(each -> say(each.title() + " is skipped: none of " + names + " supports it"));
        plan.cases().forEach(each -> peers.stream().filter(peer -> !peer.takes(each))
            .forEach(peer -> say(each.title() + " runs without " + peer.name() + ": not supported")));
        final CoreLatency distance = CoreLatency.of(programs);
        final Path directory =
            options.output() == null ? home.resolve("benchmarks/target/bench") : options.output();
        final List<CaseResult> results = new ArrayList<>();
        // Writes the report early, so that partial results remain if this process dies.
        ReportFiles.write(directory, new SuiteReport(words(), results, "the run has not finished yet"));
        final Progress progress = new Progress(System.err, Terminal.isTerminal(2), plan.runs());
        final Conditions conditions = Conditions.current(options.wire());
        final SuiteRun run = new SuiteRun(plan, commands, distance, progress, conditions, result ->
        {
            results.add(result);
            if (!options.isMarkdown())
            {
                print(SuiteTable.text(result) + "\n");
            }
            ReportFiles.write(directory, new SuiteReport(words(), results, "the run has not finished yet"));
        });
        final String missing = run.run();
        ReportFiles.write(directory, new SuiteReport(words(), results, missing));
        if (options.save() != null && missing == null)
        {
            final Path saved = home.resolve("benchmarks/history/" + options.save() + ".csv");
            ReportFiles.replace(saved, SuiteCsv.write(results));
            say("written: " + saved);
        }
        print(options.isMarkdown() ? SuiteTable.markdown(results) : SuiteTable.legend(results));
        say("written: " + directory.resolve("report.html") + ", report.csv, report.json");
        if (missing == null)
        {
            if (options.isRecording())
            {
                say("recording Tutti");
                new FlightRecordings(plan, commands, directory.resolve("jfr")).record()
                    .forEach(each -> say("written: " + each + "/rank-*.jfr"));
            }
            return 0;
        }
        say("incomplete: " + missing);
        return commands.stop().isAsked() ? INTERRUPTED : 1;
    }

    /** Tutti, and the requested or installed peers. */
    private List<Peer> peers(final PeerPrograms programs) throws InterruptedException
    {
        final List<PeerKind> wanted = options.peers();
        final List<PeerKind> missing = missing(wanted, programs.commands());
        if (!missing.isEmpty() && options.isInstalling())
        {
            final List<String> packages = missing.stream().flatMap(each -> each.packages().stream()).toList();
            say("installing " + String.join(" ", packages));
            Installer.install(packages, programs.commands());
            missing.retainAll(missing(missing, programs.commands()));
        }
        final boolean isAny = wanted.stream().anyMatch(each -> each.isLibrary() && !missing.contains(each));
        final boolean isLimitMissing = missing.stream().anyMatch(each -> !each.isLibrary());
        if (!missing.isEmpty() && (options.arePeersNamed() || isLimitMissing || !isAny))
        {
            throw new ParameterException(spec.commandLine(),
                String.join("; ", missing.stream().map(PeerKind::missing).toList()));
        }
        missing.forEach(each -> say(each.missing()));
        final List<Peer> peers = new ArrayList<>();
        peers.add(new TuttiPeer(programs.commands().scratch()));
        for (final PeerKind each : wanted)
        {
            if (!missing.contains(each))
            {
                peers.add(each.build(programs, options.rowLimitMs()));
            }
        }
        return peers;
    }

    private static List<PeerKind> missing(final List<PeerKind> wanted, final Commands commands)
        throws InterruptedException
    {
        final List<PeerKind> missing = new ArrayList<>();
        for (final PeerKind each : wanted)
        {
            if (!each.isThere(commands))
            {
                missing.add(each);
            }
        }
        return missing;
    }

    /** The command line in a form that can be pasted into a shell. */
    private String words()
    {
        final List<String> words = spec.commandLine().getParseResult().originalArgs();
        return words.stream().skip(!words.isEmpty() && words.getFirst().equals(spec.name()) ? 1 : 0)
            .map(word -> word.matches("[A-Za-z0-9_./,:=+-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" ", "./tutti bench ", "")).strip();
    }

    private void print(final String text)
    {
        final PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
    }

    private void say(final String text)
    {
        final PrintWriter err = spec.commandLine().getErr();
        err.println("tutti bench: " + text);
        err.flush();
    }

    private static void remove(final Path directory) throws IOException
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(file);
            }
        }
    }
}
