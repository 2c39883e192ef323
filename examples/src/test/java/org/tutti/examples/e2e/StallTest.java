/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.bootstrap.Hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Effects of a stopped or paused process, and what users see of it. The tests mostly wait, so some jobs run
 * concurrently.
 */
@Execution(ExecutionMode.CONCURRENT)
class StallTest
{
    private static final long TIMEOUT_MS = 300_000;
    /** Longer than the timeout of a test. */
    private static final int LONG_S = 600;
    private static final Map<String, String> LAUNCHER =
        Map.of("TUTTI_HEARTBEAT_TIMEOUT", "1s", "TUTTI_STALL_TIMEOUT", "3s");

    @TempDir
    private Path directory;

    /** Calls for which ranks need an answer of the coordinator; other runs than torture take one. */
    static List<String> callsThatConnect()
    {
        return Boolean.getBoolean("tutti.test.torture") ? List.of("dup", "send", "put") : List.of("send");
    }

    @ParameterizedTest
    @MethodSource("callsThatConnect")
    void shouldTimeOutCallsWhenLauncherIsStopped(final String call) throws Exception
    {
        try (TuttiJob job = start(2, call, 3))
        {
            awaitReady(job, 2);
            final long pid = job.launcher().pid();
            signal("STOP", pid);
            try
            {
                say("go");
                for (int rank = 0; rank < 2; rank++)
                {
                    final String failure = await("failed." + rank, job);
                    assertTrue(Long.parseLong(failure.split(" ", 2)[0]) < 10 * 3_000, failure);
                    assertTrue(failure.contains("CollectiveTimeoutException, peer -1: "), failure);
                    assertTrue(failure.endsWith("timed out after 3.0 s: the coordinator does not answer: " +
                        "the launcher's process " + pid + " is stopped"), failure);
                }
            }
            finally
            {
                signal("CONT", pid);
            }
            assertEquals(1, job.await(TIMEOUT_MS), job.output());
            assertEquals(List.of(), job.remaining(TIMEOUT_MS));
        }
    }

    /** All ranks and the launcher blame the stopped rank, not the ranks that waited for it and reported that. */
    @Test
    void shouldNameStoppedRankWhenOthersTimeOut() throws Exception
    {
        try (TuttiJob job = start(3, "allreduce", 8))
        {
            startCalls(job, 3);
            final long pid = job.pid(1);
            signal("STOP", pid);
            final String name = "rank 1 on " + Hosts.local() + " (pid " + pid + ")";
            awaitOutput("tutti: " + name + " is stopped", job);
            for (int rank = 0; rank < 3; rank += 2)
            {
                final String failure = await("failed." + rank, job);
                assertTrue(failure.contains("Exception, peer 1: "), failure);
                assertTrue(failure.contains("rank 1 (pid " + pid + ") is stopped"), failure);
            }
            assertTrue(job.await(TIMEOUT_MS) > 0, job.output());
            final String report = job.output().lines()
                .filter(line -> line.startsWith("tutti: ") && line.contains(" failed: ")).findFirst().orElseThrow();
            assertTrue(report.startsWith("tutti: " + name + " failed: kept rank "), report);
            assertFalse(job.output().contains("aborted"), job.output());
            assertEquals(List.of(), job.remaining(TIMEOUT_MS));
        }
    }

    @Test
    void shouldReportWaitForStoppedRankAndItsResumption() throws Exception
    {
        try (TuttiJob job = start(2, "allreduce", LONG_S))
        {
            startCalls(job, 2);
            final long pid = job.pid(1);
            final String name = "tutti: rank 1 on " + Hosts.local() + " (pid " + pid + ")";
            signal("STOP", pid);
            awaitOutput(name + " is not waiting for another rank: its process is stopped", job);
            signal("CONT", pid);
            awaitOutput(name + " was resumed", job);
            final String output = job.output();
            assertTrue(output.matches("(?s).*tutti: rank 0 \\(.*\\): allreduce\\(.*\\) #\\d+ has waited .* s for " +
                "rank 1\n.*"), output);
            assertEquals(2, output.split(Pattern.quote(name + " is stopped"), -1).length, output);
        }
    }

    /** The rank sends nothing, but its process runs on this host: it is not dead. */
    @Test
    @Tag("torture")
    void shouldContinueWhenGcPauseExceedsHeartbeatTimeout() throws Exception
    {
        try (TuttiJob job = start(2, "pause", LONG_S))
        {
            startCalls(job, 2);
            assertEquals(0, job.await(TIMEOUT_MS), job.output());
            final Matcher pause = Pattern.compile("longest pause of rank 1: (\\d+)").matcher(job.output());
            assertTrue(pause.find() && Long.parseLong(pause.group(1)) >= 2_000, job.output());
        }
    }

    private void startCalls(final TuttiJob job, final int ranks) throws Exception
    {
        awaitReady(job, ranks);
        say("go");
    }

    private void awaitReady(final TuttiJob job, final int ranks) throws Exception
    {
        for (int rank = 0; rank < ranks; rank++)
        {
            await("ready." + rank, job);
        }
    }

    private static void awaitOutput(final String text, final TuttiJob job) throws Exception
    {
        final long startNs = System.nanoTime();
        while (!job.output().contains(text))
        {
            assertTrue(System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS),
                text + " was not printed\n" + job.output());
            Thread.sleep(10);
        }
    }

    /**
     * Starts a job.
     *
     * @param timeoutS timeout of the call in seconds, without what precedes it.
     */
    private TuttiJob start(final int ranks, final String call, final int timeoutS) throws IOException
    {
        // With these options, compiled counted loops have no safepoint.
        final List<String> options = new ArrayList<>(List.of("-J-XX:+UseSerialGC", "-J-XX:-UseCountedLoopSafepoints"));
        options.addAll(call.equals("pause") ?
            List.of("-J" + TuttiJob.BOTH_COMPILERS, "-J-XX:-TieredCompilation", "-J-Xbatch") : List.of());
        return TuttiJob.start(
            ranks, LAUNCHER, options, StallTarget.class, call, directory.toString(), Integer.toString(timeoutS));
    }

    private void say(final String name) throws IOException
    {
        Files.createFile(directory.resolve(name));
    }

    /** Waits for a file of a rank. */
    private String await(final String name, final TuttiJob job) throws Exception
    {
        final Path file = directory.resolve(name);
        final long startNs = System.nanoTime();
        while (!Files.exists(file))
        {
            final boolean isLate = System.nanoTime() - startNs >= TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
            assertFalse(isLate || !job.launcher().isAlive(), name + " was not written\n" + job.output());
            Thread.sleep(10);
        }
        return Files.readString(file);
    }

    private static void signal(final String name, final long pid) throws Exception
    {
        assertEquals(0, new ProcessBuilder("kill", "-s", name, Long.toString(pid)).start().waitFor());
    }
}
