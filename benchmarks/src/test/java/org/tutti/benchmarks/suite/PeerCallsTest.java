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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.benchmarks.perf.CountsRule;
import org.tutti.benchmarks.perf.Operation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the calls of the peers' programs: block lengths as in Tutti, and checks that cover each element. */
@Timeout(120)
class PeerCallsTest
{
    private static final Path ROOT = Path.of(System.getProperty("tutti.root"));
    private static final Path PEERS = ROOT.resolve("benchmarks/peers");

    /** Compiled once for all tests. */
    @TempDir
    private static Path programs;

    @TempDir
    private Path directory;
    private ShutdownHandler stop;
    private Commands commands;

    @BeforeEach
    void needACompiler() throws IOException
    {
        CCompiler.require(getClass());
        stop = ShutdownHandler.install();
        commands = new Commands(Files.createDirectory(directory.resolve("scratch")), Duration.ofMinutes(1), stop);
    }

    @AfterEach
    void release()
    {
        if (stop != null)
        {
            stop.close();
        }
    }

    /** Also checks that every element of an unwritten output counts as wrong. */
    @ParameterizedTest
    @EnumSource(CountsRule.class)
    void shouldMakeBlocksOfSameLengthsAsTutti(final CountsRule rule) throws Exception
    {
        final String program = compile();
        for (final Operation operation : List.of(Operation.ALLGATHERV, Operation.REDUCE_SCATTERV, Operation.GATHERV,
            Operation.SCATTERV, Operation.ALLTOALLV))
        {
            for (final int ranks : new int[] {1, 2, 5})
            {
                for (final int count : new int[] {0, 1, 7, 1000})
                {
                    final List<String> words = List.of(program, Integer.toString(ranks), Integer.toString(count),
                        operation.label(), "--counts", rule.label());

                    assertEquals(expected(operation, rule, ranks, count), commands.run(words).strip(),
                        words.toString());
                }
            }
        }
    }

    /** A line per rank: elements of its output, of the longest block, and before each block. */
    private static String expected(final Operation operation, final CountsRule rule, final int ranks, final long count)
    {
        final List<String> lines = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++)
        {
            final long[] lengths = rule.lengths(count, ranks, operation == Operation.ALLTOALLV ? rank : 0);
            final long output = switch (operation)
            {
                case GATHERV -> rank == 0 ? count : 0;
                case SCATTERV, REDUCE_SCATTERV -> lengths[rank];
                default -> count;
            };
            final List<Long> numbers = new ArrayList<>(List.of(output, Arrays.stream(lengths).max().orElseThrow(), 0L));
            for (final long length : lengths)
            {
                numbers.add(numbers.getLast() + length);
            }
            lines.add(numbers.stream().map(String::valueOf).collect(Collectors.joining(" ")));
        }
        return String.join("\n", lines);
    }

    @Test
    void shouldDetectUnwrittenElements() throws Exception
    {
        final String program = compile();

        assertEquals(List.of("9", "9", "9"), wrong(program, "scan"));
        assertEquals(List.of("0", "9", "9"), wrong(program, "exscan"), "the first rank receives nothing");
        assertEquals(List.of("9", "0", "0"), wrong(program, "gather"));
        assertEquals(List.of("3", "3", "3"), wrong(program, "scatter"));
    }

    private List<String> wrong(final String program, final String collective) throws InterruptedException
    {
        return commands.run(List.of(program, "3", "9", collective)).lines().map(line -> line.split(" ", 2)[0]).toList();
    }

    @Test
    void shouldRejectInvalidCounts() throws Exception
    {
        final String program = compile();

        assertTrue(refusal(program, "allgatherv", "odd").endsWith("--counts must be even or linear: odd"));
        assertTrue(refusal(program, "allgather", "even").endsWith(
            "--counts needs a collective that takes counts, such as allgatherv: even"));
    }

    private String refusal(final String program, final String collective, final String counts)
    {
        return assertThrows(SuiteException.class,
            () -> commands.run(List.of(program, "2", "9", collective, "--counts", counts))).getMessage().strip();
    }

    /** Busy processes that share cores take long, so the other collectives are called in the long tests only. */
    static List<String> collectives()
    {
        return Boolean.getBoolean("tutti.test.torture") ?
            List.of("allgatherv", "reduce_scatterv", "gatherv", "scatterv", "alltoallv", "gather", "scatter") :
            List.of("alltoallv");
    }

    /** Uses the roofline, which needs only a compiler and runs each rank in its own process. */
    @ParameterizedTest
    @MethodSource("collectives")
    void shouldAcceptCorrectData(final String collective) throws Exception
    {
        final List<String> words = new ArrayList<>(List.of(
            roofline().toString(), "3", collective, "-b", "4", "-e", "5k", "-f",
            Boolean.getBoolean("tutti.test.torture") ? "7" : "1280", "-n", "2", "-w", "1"));
        if (collective.endsWith("v"))
        {
            words.addAll(List.of("--counts", "linear"));
        }

        final PeerOutput reading = PeerOutput.ofTable("roofline", commands.run(words), false);

        final int end = 5 << 10;
        assertEquals(collective.endsWith("v") ? end : end / 12 * 12, reading.timesUs().lastKey());
    }

    @Test
    void shouldTimeFirstCallsOfProcess() throws Exception
    {
        final List<String> words = List.of(
            roofline().toString(), "2", "allreduce", "--cold", "-b", "1M", "-e", "1M", "-p", "1");

        final PeerOutput reading = PeerOutput.ofTable("roofline", commands.run(words), false);

        assertEquals(List.of(1L, 10L, 100L, 1000L), List.copyOf(reading.timesUs().keySet()));
        double before = 0;
        for (final double timeUs : reading.timesUs().values())
        {
            assertTrue(timeUs >= before, reading::toString);
            before = timeUs;
        }
        assertTrue(assertThrows(SuiteException.class, () -> commands.run(List.of(
            roofline().toString(), "2", "allreduce", "--cold", "-b", "4", "-e", "8"))).getMessage().strip()
            .endsWith("--cold needs one size: equal -b and -e"));
    }

    private Path roofline() throws InterruptedException
    {
        return PeerPrograms.of(ROOT, commands).compile("cc", "roofline.c", "roofline");
    }

    private String compile() throws InterruptedException
    {
        final Path program = programs.resolve("perf_calls_test");
        if (!Files.exists(program))
        {
            commands.run(List.of("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", PEERS.toString(), "-o",
                program.toString(), ROOT.resolve("benchmarks/src/test/c/perf_calls_test.c").toString()));
        }
        return program.toString();
    }
}
