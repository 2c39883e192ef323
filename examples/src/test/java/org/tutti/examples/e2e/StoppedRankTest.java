/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A rank that is stopped past the deadline of another one, and resumed, has the correct result or an error. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
class StoppedRankTest
{
    private static final long STEP_MS = 60_000;

    @TempDir
    private Path directory;

    @Test
    void shouldFailCallOfResumedRankWhenItsPeerTimedOutAndClosed() throws Exception
    {
        try (TuttiJob job = TuttiJob.start(2, List.of(
            "-J-XX:+UseSerialGC", "-J" + TuttiJob.FAST_TO_START, "-x", "TUTTI_ALGORITHM=reduce:0-:direct"),
            StoppedRankTarget.class, directory.toString()))
        {
            await(() -> job.output().contains("ready 0") && job.output().contains("ready 1"), job);
            final long late = job.pid(0);
            final long launcher = job.launcher().pid();
            // Stops the coordinator too: else a notice of the failure would race with the call.
            signal("STOP", late);
            signal("STOP", launcher);
            try
            {
                Files.createFile(directory.resolve("go-1"));
                final long early = job.pid(1);
                await(() -> !isRunning(early), job);
                Files.createFile(directory.resolve("go-0"));
                signal("CONT", late);
                await(() -> Files.exists(directory.resolve("outcome")), job);
            }
            finally
            {
                signal("CONT", late);
                signal("CONT", launcher);
            }
            job.await(STEP_MS);

            final String output = job.output();
            assertTrue(output.contains("gave up"), output);
            assertTrue(output.contains("closed"), output);
            final String outcome = Files.readString(directory.resolve("outcome"));
            assertTrue(outcome.startsWith("error "), outcome);
            assertTrue(outcome.contains("rank 1 ") &&
                outcome.contains("has aborted this call or an earlier one"), outcome);
            assertEquals(List.of(), job.remaining(STEP_MS), output);
            assertEquals(List.of(), job.sharedMemory(), output);
        }
    }

    private static void await(final Callable<Boolean> condition, final TuttiJob job) throws Exception
    {
        final long startNs = System.nanoTime();
        while (!condition.call())
        {
            assertTrue(job.launcher().isAlive(), job.output());
            assertTrue(System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(STEP_MS), job.output());
            Thread.sleep(5);
        }
    }

    /** A process with a stopped parent remains a zombie. */
    private static boolean isRunning(final long pid)
    {
        try
        {
            final String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        }
        catch (final IOException gone)
        {
            return false;
        }
    }

    private static void signal(final String name, final long pid) throws Exception
    {
        assertTrue(pid > 0, "no process");
        new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start().waitFor();
    }
}
