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
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compiles and runs {@code tcp_loop.c}, the floor of runs over TCP. */
@Timeout(120)
class TcpLoopTest
{
    private static final Path PEERS = Path.of(System.getProperty("tutti.root"), "benchmarks/peers");
    private static final int ROW = 3;

    /** The program is compiled once for all tests. */
    @TempDir
    private static Path programs;

    @TempDir
    private Path directory;
    private ShutdownHandler stop;
    private Commands commands;
    private String program;

    @BeforeEach
    void needACompiler() throws Exception
    {
        CCompiler.require(getClass());
        stop = ShutdownHandler.install();
        commands = new Commands(Files.createDirectory(directory.resolve("scratch")), Duration.ofMinutes(1), stop);
        program = new PeerPrograms(PEERS, programs, commands).compile("cc", "tcp_loop.c", "tcp_loop").toString();
    }

    @AfterEach
    void release()
    {
        if (stop != null)
        {
            stop.close();
        }
    }

    /** The program compares what arrives with what was sent. */
    @ParameterizedTest
    @ValueSource(strings = {"allreduce", "broadcast", "reduce", "allgather", "reduce_scatter", "gather", "scatter",
        "alltoall", "scan", "exscan", "sendrecv", "allgatherv", "reduce_scatterv", "gatherv", "scatterv", "alltoallv"})
    void shouldMoveBytesOfCollective(final String collective) throws Exception
    {
        final List<String> words = new ArrayList<>(List.of(
            program, collective, "-b", "12", "-e", "300000", "-f", "25000", "-n", "3", "-w", "1"));
        if (collective.endsWith("v") && !collective.equals("sendrecv"))
        {
            words.addAll(List.of("--counts", "linear"));
        }

        final String output = commands.run(words);

        final PeerOutput reading = PeerOutput.ofTable("tcp_loop", output, false);
        assertEquals(List.of(collective.matches(".*(gather|scatter|alltoall)") ? 8L : 12L, 300_000L),
            List.copyOf(reading.timesUs().keySet()));
        assertEquals(reading, PeerOutput.ofTable("tcp_loop", output, true), "both forms have the same floor");
    }

    @Test
    void shouldReportLongerOfHalfTripAndStream() throws Exception
    {
        final String output = commands.run(List.of(program, "allreduce", "-b", "4", "-e", "4M", "-f", "1024",
            "-n", "20", "-w", "5"));

        final List<String[]> rows = output.lines().filter(line -> line.matches(" +[0-9]+ .*"))
            .map(line -> line.strip().split(" +")).toList();
        assertEquals(ROW, rows.size(), output);
        for (final String[] row : rows)
        {
            final double longer = Math.max(Double.parseDouble(row[1]), Double.parseDouble(row[2]));
            final double exact =
                PeerOutput.ofTable("tcp_loop", output, false).timesUs().get(Long.valueOf(row[0]));
            assertEquals(longer, exact, 0.006, output);
        }
    }

    @Test
    void shouldMeasureLatencyOfBarrier() throws Exception
    {
        final PeerOutput reading = PeerOutput.ofTable(
            "tcp_loop", commands.run(List.of(program, "barrier", "-n", "3", "-w", "1")), false);

        assertEquals(List.of(0L), List.copyOf(reading.timesUs().keySet()));
        assertTrue(reading.timesUs().get(0L) > 0, reading::toString);
    }

    @Test
    void shouldRejectUnknownOption()
    {
        final String message = assertThrows(SuiteException.class,
            () -> commands.run(List.of(program, "allreduce", "--sockets", "2"))).getMessage();

        assertTrue(message.startsWith("exit code 2 of ") &&
            message.endsWith("tcp_loop: unknown option, or option without a value: --sockets"), message);
    }

    /** Without its peer a process would spin forever. */
    @Test
    void shouldEndWhenPeerProcessIsKilled() throws Exception
    {
        final Path said = directory.resolve("said");
        final Process process = new ProcessBuilder(program, "allreduce", "-b", "4", "-e", "4", "-n", "2000000000")
            .redirectOutput(directory.resolve("out").toFile()).redirectError(said.toFile()).start();
        try
        {
            while (process.children().findAny().isEmpty())
            {
                assertTrue(process.isAlive(), () -> read(said));
                Thread.onSpinWait();
            }
            process.children().forEach(ProcessHandle::destroyForcibly);

            assertTrue(process.waitFor(60, TimeUnit.SECONDS), "still running");
        }
        finally
        {
            process.destroyForcibly();
        }
        assertTrue(process.exitValue() != 0, () -> read(said));
    }

    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
