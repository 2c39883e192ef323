/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Windows between processes: data is visible with its signal, and a rank that waits for a dead rank fails. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
class WindowsTest
{
    private static final int RANKS = 3;
    private static final int VICTIM = 1;
    private static final long END_MS = 20_000;

    @Test
    void shouldPassDataAroundRing() throws Exception
    {
        try (TuttiJob job = TuttiJob.start(RANKS, List.of(), WindowTarget.class))
        {
            final int exitCode = job.await(60_000);

            final String output = job.output();
            assertEquals(0, exitCode, output);
            for (int rank = 0; rank < RANKS; rank++)
            {
                assertTrue(output.contains("checked " + rank), output);
            }
            assertEquals(List.of(), job.sharedMemory());
        }
    }

    @Test
    void shouldNameKilledRankWhenOthersWaitForItsSignal() throws Exception
    {
        // The grace period exceeds the test's timeout, so that the launcher does not end a hanging rank.
        try (TuttiJob job = TuttiJob.start(
            RANKS, List.of("--tag", "--grace", "60s"), WindowTarget.class, Integer.toString(VICTIM)))
        {
            final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (job.launcher().isAlive() && System.nanoTime() - deadline < 0 && !allWait(job.output()))
            {
                Thread.sleep(1);
            }
            assertTrue(allWait(job.output()), job.output());
            ProcessHandle.of(job.pid(VICTIM)).orElseThrow().destroyForcibly();

            final int exitCode = job.await(END_MS);

            final String output = job.output();
            assertEquals(137, exitCode, output);
            for (final int rank : new int[] {0, 2})
            {
                assertTrue(output.lines().anyMatch(line -> line.startsWith("[" + rank + "] ") &&
                    line.contains("RankFailedException: ") && line.contains("waitSignal(rank " + VICTIM) &&
                    line.contains("rank " + VICTIM + " on ") && line.endsWith(" failed: killed by SIGKILL")),
                    () -> "rank " + rank + " does not name the victim\n" + output);
            }
            assertEquals(List.of(), job.remaining(END_MS), output);
            assertEquals(List.of(), job.sharedMemory(), output);
        }
    }

    /** The victim makes no calls; ranks that put into its memory notice its death. */
    @Test
    void shouldNameKilledRankThatIsTheTargetOfPuts() throws Exception
    {
        try (TuttiJob job = TuttiJob.start(2, List.of("--tag", "--grace", "60s"), PutTarget.class))
        {
            requireNameOfKilledTarget(job, 60_000, END_MS);
        }
    }

    /**
     * Kills the target rank of puts, and checks that the other rank reports it.
     *
     * @param job     job of {@link PutTarget}, with tagged output.
     * @param startMs timeout of its start in milliseconds.
     * @param endMs   timeout of its end after the kill, in milliseconds.
     */
    static void requireNameOfKilledTarget(final TuttiJob job, final long startMs, final long endMs) throws Exception
    {
        final int victim = PutTarget.VICTIM;
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(startMs);
        while (!job.output().contains("[" + victim + "] put into\n"))
        {
            assertTrue(job.launcher().isAlive() && System.nanoTime() - deadline < 0, job.output());
            Thread.sleep(10);
        }
        ProcessHandle.of(job.pid(victim)).orElseThrow().destroyForcibly();

        final int exitCode = job.await(endMs);

        final String output = job.output();
        assertEquals(137, exitCode, output);
        assertTrue(output.lines().anyMatch(line -> line.startsWith("[0] ") && line.contains("Exception: ") &&
            line.contains("operations on rank " + victim + " (") && line.contains(" failed: ")),
            () -> "rank 0 does not name it\n" + output);
        assertTrue(output.lines().anyMatch(line -> line.startsWith("tutti: rank " + victim + " on ") &&
            line.endsWith(" failed: killed by SIGKILL")), output);
        assertEquals(List.of(), job.remaining(endMs), output);
        assertEquals(List.of(), job.sharedMemory(), output);
    }

    private static boolean allWait(final String output)
    {
        for (int rank = 0; rank < RANKS; rank++)
        {
            if (!output.contains("waiting " + rank))
            {
                return false;
            }
        }
        return true;
    }
}
