/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tutti.tools.report.Json;
import org.xml.sax.InputSource;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Small runs of the complete command, in its own process, as users start it. */
@Timeout(600)
class BenchRunTest
{
    private static final Path ROOT = Path.of(System.getProperty("tutti.root"));
    private static final int DEADLINE_S = 300;
    /**
     * Option of the command's JVM. As a peer's ranks then outnumber the processors, they yield instead of spinning
     * beside the tests of other modules, and a round is not repeated for the latency between cores.
     */
    private static final String ONE_PROCESSOR = "-XX:ActiveProcessorCount=1";

    @TempDir
    private Path directory;

    @Test
    void shouldCompareWithOpenMpiAndRoofline() throws Exception
    {
        assumeOpenMpi();
        final Process process = start(List.of(ONE_PROCESSOR), "scan", "alltoallv", "--counts", "linear", "-R", "1",
            "-b", "4", "-e", "4k", "-f", "1024", "-n", "20", "-w", "5", "--peers", "openmpi,roofline");
        try
        {
            assertTrue(process.waitFor(DEADLINE_S, TimeUnit.SECONDS), () -> "timeout: " + said("err"));
            assertEquals(0, process.exitValue(), () -> said("err"));
        }
        finally
        {
            kill(process);
        }
        final Map<?, ?> report = report();
        assertEquals(true, report.get("is_whole"));
        assertTrue(report.get("command").toString().startsWith("./tutti bench -o "), report.toString());
        assertEquals(2, ((List<?>)report.get("cases")).size());
        assertEquals(2, said("out").lines().filter(line -> line.startsWith("      size  Tutti us")).count());
        final List<CaseResult> results = SuiteCsv.read(directory.resolve("report.csv"));
        assertTrue(results.stream().allMatch(each -> each.rows().size() == 2), results.toString());
        assertEquals(List.of("scan, 2 ranks, -n 20 -w 5", "alltoallv, 2 ranks, -n 20 -w 5 --counts linear"),
            results.stream().map(each -> each.of().title() + ", " + each.of().options()).toList());
        assertTrue(results.stream().allMatch(each -> each.peers().getFirst().startsWith("Open MPI")), said("out"));
        assertEquals(List.of(false, true),
            results.stream().map(each -> each.rounds().containsKey(CaseResult.ROOFLINE)).toList());
        assertTrue(said("err").contains("scan, 2 ranks runs without roofline: not supported"), said("err"));
        assertTrue(said("out").contains(", options -n 20 -w 5 --counts linear; "), said("out"));
    }

    /** Fails if a program does not use TCP. */
    @Test
    @Tag("torture")
    void shouldCompareOverTcpWithOpenMpiAndFloor() throws Exception
    {
        assumeOpenMpi();
        final Process process = start("allreduce", "--wire", "tcp", "-R", "1", "-b", "4", "-e", "4k", "-f", "1024",
            "-n", "20", "-w", "5", "--peers", "openmpi,floor");
        try
        {
            assertTrue(process.waitFor(DEADLINE_S, TimeUnit.SECONDS), () -> "timeout: " + said("err"));
            assertEquals(0, process.exitValue(), () -> said("err"));
        }
        finally
        {
            kill(process);
        }
        final CaseResult result = SuiteCsv.read(directory.resolve("report.csv")).getFirst();
        assertEquals("allreduce, 2 ranks over TCP", result.of().title());
        assertEquals(List.of("Tutti", "Open MPI", "floor"),
            result.rounds().keySet().stream().map(CaseResult::shortName).toList());
        assertTrue(result.rows().values().stream().allMatch(row -> row.size() == 3), result.rows().toString());
    }

    /** Also makes recordings, to avoid another complete run. */
    @ParameterizedTest
    @EnumSource(Wire.class)
    @Tag("torture")
    void shouldCompareWithEveryInstalledPeer(final Wire wire) throws Exception
    {
        final List<String> peers = new ArrayList<>();
        if (Commands.isThere("mpirun.openmpi") && Commands.isThere("mpicc.openmpi"))
        {
            peers.add("Open MPI");
        }
        if (Commands.isThere("mpirun.mpich") && Commands.isThere("mpicc.mpich"))
        {
            peers.add("MPICH");
        }
        if (Commands.isThere("g++") && Files.exists(Path.of("/usr/include/gloo/config.h")))
        {
            peers.add("Gloo");
        }
        assumePeers(!peers.isEmpty(), "Open MPI, MPICH or Gloo",
            "openmpi-bin libopenmpi-dev mpich libmpich-dev libgloo-dev g++");
        final Process process = start("allreduce", "--wire", wire.option(), "-R", "1", "-b", "4", "-e", "4", "-n", "20",
            "-w", "5", "--jfr");
        try
        {
            assertTrue(process.waitFor(DEADLINE_S, TimeUnit.SECONDS), () -> "timeout: " + said("err"));
            assertEquals(0, process.exitValue(), () -> said("err"));
        }
        finally
        {
            kill(process);
        }
        final CaseResult result = SuiteCsv.read(directory.resolve("report.csv")).getFirst();
        assertEquals(peers.stream().sorted().toList(),
            result.peers().stream().map(CaseResult::shortName).sorted().toList());
        final Path recordings = directory.resolve("jfr/allreduce-2-ranks");
        for (final String each : List.of("rank-0.jfr", "rank-1.jfr"))
        {
            assertTrue(Files.size(recordings.resolve(each)) > 0, each);
        }
        assertTrue(said("err").contains("written: " + recordings + "/rank-*.jfr"), said("err"));
    }

    @Test
    void shouldRejectPlanWhenNoPeerSupportsIt() throws Exception
    {
        assumeOpenMpi();
        final Process process = start("alltoall", "--in-place", "--peers", "roofline");
        try
        {
            assertTrue(process.waitFor(DEADLINE_S, TimeUnit.SECONDS), () -> "timeout: " + said("err"));
        }
        finally
        {
            kill(process);
        }
        assertEquals(2, process.exitValue(), () -> said("err"));
        assertTrue(said("err").contains("none of roofline supports any of these cases"), said("err"));
    }

    @Test
    void shouldLeaveValidReportWhenInterrupted() throws Exception
    {
        assumeOpenMpi();
        final Process process = start("allreduce", "barrier", "-R", "500", "-b", "4", "-e", "4", "-n", "20", "-w", "5",
            "--peers", "openmpi,roofline");
        final List<ProcessHandle> children = new ArrayList<>();
        try
        {
            while (!said("err").contains("round 2: "))
            {
                assertTrue(process.isAlive(), () -> said("err"));
                Thread.sleep(20);
            }
            children.addAll(process.descendants().toList());
            // As a terminal does: to all processes of the group.
            assertEquals(0,
                new ProcessBuilder("kill", "-s", "INT", "--", "-" + process.pid()).start().waitFor());
            assertTrue(process.waitFor(DEADLINE_S, TimeUnit.SECONDS), () -> "still running: " + said("err"));
        }
        finally
        {
            kill(process);
        }
        assertEquals(130, process.exitValue(), () -> said("err"));
        assertEquals(false, report().get("is_whole"));
        assertEquals("interrupted", report().get("missing"));
        assertEquals(1, ((List<?>)report().get("cases")).size());
        assertEquals(1, SuiteCsv.read(directory.resolve("report.csv")).size());
        DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new InputSource(new StringReader(Files.readString(directory.resolve("report.html")))));
        for (final ProcessHandle child : children)
        {
            child.onExit().get(DEADLINE_S, TimeUnit.SECONDS);
        }
        try (Stream<Path> left = Files.list(directory.resolve("tmp")))
        {
            assertEquals(List.of(), left.toList());
        }
    }

    private static void assumeOpenMpi()
    {
        assumePeers(Commands.isThere("mpicc.openmpi") && Commands.isThere("mpirun.openmpi"), "Open MPI",
            "openmpi-bin libopenmpi-dev");
    }

    private static void assumePeers(final boolean areThere, final String what, final String packages)
    {
        if (!areThere)
        {
            System.err.println("BenchRunTest is skipped: " + what + " is not installed; run 'apt-get install " +
                packages + "'");
        }
        assumeTrue(areThere);
    }

    private Process start(final String... words) throws IOException
    {
        return start(List.of(), words);
    }

    private Process start(final List<String> options, final String... words) throws IOException
    {
        final Path temporary = Files.createDirectory(directory.resolve("tmp"));
        final Path rankOptions = directory.resolve("rank.options");
        final String classPath = "-cp \"" + System.getProperty("java.class.path") + "\"\n";
        // Ranks warm up until their JVMs cease to compile, which takes many seconds with compilers.
        Files.writeString(rankOptions, Files.readString(ROOT.resolve("jvm.options")) +
            "-XX:+UseSerialGC\n-Xint\n-Dtutti.perf.timings=1\n" + classPath);
        final List<String> command = new ArrayList<>(List.of(
            // A test run under nohup, or in a script's background, would pass on ignored signals.
            "setsid", "env", "--default-signal=HUP,INT,TERM",
            System.getProperty("java.home") + "/bin/java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-Djava.io.tmpdir=" + temporary, "-Dtutti.home=" + ROOT, "-Dtutti.rank.options=" + rankOptions,
            "-cp", System.getProperty("java.class.path"), "org.tutti.launcher.cli.Main", "bench",
            "-o", directory.toString()));
        command.addAll(command.indexOf("-cp"), options);
        command.addAll(List.of(words));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(directory.resolve("out").toFile()).redirectError(directory.resolve("err").toFile());
        builder.environment().put("TMPDIR", temporary.toString());
        // Peers time a disturbed row again, too.
        builder.environment().put("PERF_TIMINGS", "1");
        return builder.start();
    }

    private String said(final String stream)
    {
        try
        {
            return Files.readString(directory.resolve(stream));
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private Map<?, ?> report()
    {
        return Json.read(said("report.json"));
    }

    private static void kill(final Process process)
    {
        final List<ProcessHandle> all = process.descendants().toList();
        process.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
