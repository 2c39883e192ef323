/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compiles and runs the programs of peers as far as they need no library. */
@Timeout(120)
class PeerProgramsTest
{
    private static final Path ROOT = Path.of(System.getProperty("tutti.root"));
    private static final Path PEERS = ROOT.resolve("benchmarks/peers");
    /** Busy processes without a processor of their own wait for a time slice in each step. */
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");

    /** Shared by all tests, since a compiler takes seconds. */
    @TempDir
    private static Path target;
    @TempDir
    private Path directory;
    private ShutdownHandler stop;
    private PeerPrograms programs;
    private Commands commands;

    @BeforeEach
    void needACompiler() throws IOException
    {
        CCompiler.require(getClass());
        stop = ShutdownHandler.install();
        commands = new Commands(Files.createDirectory(directory.resolve("scratch")), Duration.ofMinutes(1), stop);
        // Shared with other tests: a compiler takes seconds.
        programs = PeerPrograms.of(ROOT, commands);
    }

    @AfterEach
    void release()
    {
        if (stop != null)
        {
            stop.close();
        }
    }

    @Test
    void shouldRejectRooflineWithFewerThanTwoRanks() throws Exception
    {
        final Path roofline = programs.compile("cc", "roofline.c", "roofline");
        for (final String ranks : List.of("1", "0", "65", "two", "2x"))
        {
            assertTrue(refusal(List.of(roofline.toString(), ranks, "allreduce")).endsWith(
                "roofline: the number of ranks must be from 2 to 64, followed by the collective: " + ranks));
        }
    }

    static List<String> ranks()
    {
        return IS_TORTURE ? List.of("2", "3") : List.of("2");
    }

    /** Each call's values are checked, and a wrong one fails the program. */
    @ParameterizedTest
    @MethodSource("ranks")
    void shouldStageAllreduceOfRooflineOnMemoryOfItsProcesses(final String ranks) throws Exception
    {
        final Path roofline = programs.compile("cc", "roofline.c", "roofline");
        final String output = commands.run(List.of(roofline.toString(), ranks, "allreduce", "-b", "4", "-e", "1M",
            "-f", IS_TORTURE ? "2" : "64", "-n", "5", "-w", "1", "--memory", "heap"));

        assertTrue(output.lines().anyMatch(line -> line.matches("# exact 1048576 [0-9.]+ [0-9.]+")), output);
        assertTrue(refusal(List.of(roofline.toString(), "2", "allreduce", "--memory", "stack"))
            .endsWith("roofline: --memory must be allocated, registered or heap: stack"));
    }

    @Test
    void shouldRemovePartialProgramWhenCompilationFails() throws Exception
    {
        final Path sources = Files.createDirectory(directory.resolve("sources"));
        for (final String each : List.of("perf_loop.h", "perf_options.h", "perf_calls.h", "cores.h", "broken.c"))
        {
            Files.writeString(sources.resolve(each), "int main(void) { return 0 }\n");
        }
        final Path programsOfBroken = directory.resolve("broken");
        final PeerPrograms broken = new PeerPrograms(sources, programsOfBroken, commands);

        assertTrue(assertThrows(SuiteException.class, () -> broken.compile("cc", "broken.c", "broken")).getMessage()
            .contains("broken.c:1"));
        try (Stream<Path> left = Files.list(programsOfBroken))
        {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void shouldRecompileOnlyProgramsOlderThanSources() throws Exception
    {
        final Path sources = Files.createDirectory(directory.resolve("sources"));
        for (final String each : List.of("perf_loop.h", "perf_options.h", "perf_calls.h", "cores.h", "empty.c"))
        {
            Files.writeString(sources.resolve(each), each.endsWith(".h") ? "" : "int main(void) { return 0; }\n");
        }
        final PeerPrograms few = new PeerPrograms(sources, directory.resolve("few"), commands);
        final Path program = few.compile("cc", "empty.c", "empty");
        final Object first = Files.readAttributes(program, "unix:ino").get("ino");

        assertEquals(first, Files.readAttributes(few.compile("cc", "empty.c", "empty"), "unix:ino").get("ino"));
        for (final String each : List.of("empty.c", "perf_loop.h", "perf_options.h", "perf_calls.h", "cores.h"))
        {
            final Path compiled = few.compile("cc", "empty.c", "empty");
            Files.setLastModifiedTime(sources.resolve(each), Files.getLastModifiedTime(compiled));
            final Object before = Files.readAttributes(compiled, "unix:ino").get("ino");
            final Path held = Files.createLink(directory.resolve("held-" + each), compiled);

            assertTrue(!before.equals(
                Files.readAttributes(few.compile("cc", "empty.c", "empty"), "unix:ino").get("ino")), each);
            Files.delete(held);
        }
    }

    @Test
    void shouldPreferProcessorsOfDifferentCores() throws Exception
    {
        // Four cores: 0 and 1, 2 and 3, 4 and 8; the system has no topology of 5.
        final Path system = directory.resolve("cpus");
        final String[] siblings = {"0-1", "0-1", "2,3", "2,3", "4,8", null, null, null, "4,8"};
        for (int cpu = 0; cpu < siblings.length; cpu++)
        {
            final Path topology = Files.createDirectories(system.resolve("cpu" + cpu + "/topology"));
            if (siblings[cpu] != null)
            {
                Files.writeString(topology.resolve("thread_siblings_list"), siblings[cpu] + "\n");
            }
        }
        final String program =
            test("cores_test.c", "-DCORES_OF_SYSTEM=\"" + system + "\"");

        assertEquals("0 2 4 5 1 3 8", commands.run(List.of(program, "9", "0", "1", "2", "3", "4", "5", "8")).strip());
        assertEquals("0 2", commands.run(List.of(program, "2", "0", "1", "2", "3")).strip());
        assertEquals("1 3", commands.run(List.of(program, "2", "1", "3")).strip());
        assertEquals("2 3", commands.run(List.of(program, "2", "2", "3")).strip());
        assertEquals("8", commands.run(List.of(program, "2", "8")).strip());
    }

    @Test
    void shouldNotShortenRowBecauseOfOneStall() throws Exception
    {
        final String program = test("perf_loop_test.c");
        for (int stalled = 128; stalled <= 134; stalled++)
        {
            // A row of 500 ms with calls of 1 ms; after 127 warm-up calls one takes 2 s.
            assertEquals(500, batches(program, stalled, "-w", "7").getLast());
        }
    }

    @Test
    void shouldEstimateCallTimeWithoutWarmUp() throws Exception
    {
        final List<Integer> batches = batches(test("perf_loop_test.c"), 0, "-w", "0");

        assertEquals(List.of(1, 1, 1, 500), batches.subList(batches.size() - 4, batches.size()));
        assertTrue(batches.size() > 6, "requested iterations precede rows and do not replace the warm-up");
    }

    @Test
    void shouldKeepLeastDisturbedTiming() throws Exception
    {
        final String program = test("perf_steady_test.c");

        assertEquals("1 80", steady(program, "1", "80:0:0"), "undisturbed rows are timed once");
        assertEquals("1 500", steady(program, "1", "500:10:0"), "2 % is tolerated");
        assertEquals("3 70", steady(program, "1", "40:20:0", "60:10:0", "70:0:0"));
        assertEquals("10 80", steady(program, "1", "60:30:0", "70:30:0", "80:10:0", "50:20:0"),
            "neither the shortest nor the last");
        assertEquals("2 600", steady(program, "1", "600:50:0", "500:200:0"),
            "repeats for at most a second in total");
        assertEquals("3 70", steady(program, "1", "60:10:0", "70:0:9", "70:0:0"), "waits for a processor");
        assertEquals("1 70", steady(program, "0", "70:0:9", "70:0:0"), "sleeps while waiting for others");
    }

    private String steady(final String program, final String... timings) throws InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of("env", "-C", directory.toString(), program));
        command.addAll(List.of(timings));
        return commands.run(command).strip();
    }

    private List<Integer> batches(final String program, final int stalled, final String... words)
        throws InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of(program, Integer.toString(stalled), "allreduce",
            "-b", "4", "-e", "4", "-c", "0", "-l", "500"));
        command.addAll(List.of(words));
        return commands.run(command).lines().filter(line -> line.startsWith("batch "))
            .map(line -> Integer.valueOf(line.substring("batch ".length()))).toList();
    }

    /** Compiles a test program, once if it has no options of its own. */
    private String test(final String source, final String... options) throws InterruptedException
    {
        final Path program = (options.length == 0 ? target : directory).resolve(source.replace(".c", ""));
        if (!Files.exists(program))
        {
            final List<String> command = new ArrayList<>(List.of("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I",
                PEERS.toString(), "-o", program.toString(),
                ROOT.resolve("benchmarks/src/test/c/" + source).toString()));
            command.addAll(List.of(options));
            commands.run(command);
        }
        return program.toString();
    }

    private String refusal(final List<String> command)
    {
        return assertThrows(SuiteException.class, () -> commands.run(command)).getMessage();
    }
}
