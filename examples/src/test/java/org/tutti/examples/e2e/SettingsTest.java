/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.launcher.cli.Main;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A wrong setting is reported where it is given, and no rank waits for the rank that it keeps from starting. */
class SettingsTest
{
    private static final long TIMEOUT_MS = 60_000;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses()
    {
        processes.forEach(Process::destroyForcibly);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "-x TUTTI_TIMEOUT=soon | TUTTI_TIMEOUT='soon' is not a duration: give a number above 0 and a unit",
        "-x TUTTI_SCRATCH=7    | TUTTI_SCRATCH='7' is not a size from 64K to 1T",
        "-x TUTTI_MTU=9000     | TUTTI_MTU='9000' is not an MTU",
        "-x TUTTI_JOIN_TIMEOUT=never | TUTTI_JOIN_TIMEOUT='never' is not a duration",
        "-x TUTTI_ALGORITHM=allreduce:0-:best | TUTTI_ALGORITHM=",
        "--device mlx5_0:x     | TUTTI_DEVICE='mlx5_0:x' is not a list of devices",
        "--device tcp:10.1.0.0/33 | TUTTI_DEVICE='tcp:10.1.0.0/33' is not a list of network interfaces: " +
            "'10.1.0.0/33' is not a network: the length '33' of the prefix must be a number from 0 to 32",
        "--transport verbs --device tcp:eth0 | TUTTI_DEVICE='tcp:eth0' names a network interface for transport tcp, " +
            "but TUTTI_TRANSPORT='verbs'",
        "--gid-index first     | TUTTI_GID_INDEX='first' is not a number"})
    void shouldReportInvalidSettingOnceAndNotStartRanks(final String options, final String error)
    {
        // Within this JVM, as the launcher starts nothing; JobsTest starts a launcher for other errors.
        final StringWriter printed = new StringWriter();
        final PrintWriter output = new PrintWriter(printed);
        final List<String> words = Stream.of("run -np 2", options, "echo started")
            .flatMap(each -> Stream.of(each.split(" ", -1))).toList();

        final int code = Main.commandLine().setOut(output).setErr(output).execute(words.toArray(String[]::new));

        assertEquals(2, code, printed.toString());
        assertTrue(printed.toString().startsWith("tutti run: " + error), printed.toString());
        assertEquals(1, printed.toString().lines().count(), printed.toString());
    }

    @Test
    void shouldReportStartFailureOfARankToAllRanks() throws Exception
    {
        try (TuttiJob job = TuttiJob.start(2, List.of("-J-Dtutti.timeout=soon"), List.of("hello")))
        {
            final int code = job.await(TIMEOUT_MS);

            assertEquals(1, code, job.output());
            assertTrue(job.output().contains("cannot start: tutti.timeout='soon' is not a duration"), job.output());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldReportStartFailureToOtherRankWithoutLauncher(final int wrong) throws Exception
    {
        final int port = freePort();
        final Process first = rank(0, port, wrong == 0 ? "soon" : "1m");
        final Process second = rank(1, port, wrong == 1 ? "soon" : "1m");

        final String output = output(wrong == 0 ? first : second);
        assertEquals("tutti: rank " + wrong + ": TUTTI_TIMEOUT='soon' is not a duration: give a number above 0 and a " +
            "unit (ms, s, m, h), such as 30s or 1.5m\n", output);
        final String others = output(wrong == 0 ? second : first);
        assertTrue(others.contains("rank " + wrong + " on ") &&
            others.contains("cannot start: TUTTI_TIMEOUT='soon' is not a duration"), others);
        assertEquals(1, first.exitValue());
        assertEquals(1, second.exitValue());
    }

    /** Starts a rank that would wait ten minutes for the other one. */
    private Process rank(final int rank, final int port, final String timeout) throws IOException
    {
        final ProcessBuilder builder = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
            "@" + TuttiJob.OPTIONS, "org.tutti.launcher.cli.Main", "hello").redirectErrorStream(true);
        builder.environment().putAll(Map.of(
            "RANK", Integer.toString(rank), "WORLD_SIZE", "2", "MASTER_ADDR", "127.0.0.1",
            "MASTER_PORT", Integer.toString(port), "TUTTI_JOIN_TIMEOUT", "10m", "TUTTI_TIMEOUT", timeout));
        final Process process = builder.start();
        processes.add(process);
        return process;
    }

    private static String output(final Process process) throws Exception
    {
        assertTrue(process.waitFor(TIMEOUT_MS, TimeUnit.MILLISECONDS), "the rank is still waiting");
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** A free UDP port for the ranks' rendezvous. */
    private static int freePort() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(0))
        {
            return socket.getLocalPort();
        }
    }
}
