/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Whatever rank is killed, whenever: the others end within seconds with an error that names it, and nothing is left.
 */
class KillTest
{
    private static final int KILLS = Integer.getInteger("tutti.test.kills", 200);
    private static final int RANKS = 3;
    private static final int RUN_MS = 300;
    private static final long END_MS = 5_000;

    @Test
    void shouldEndAndCleanUpWheneverARankIsKilled() throws Exception
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("seed " + seed + ", " + KILLS + " kills");
        final Random random = new Random(seed);
        final List<String> sharedMemoryBefore = TuttiJob.sharedMemory();
        int killed = 0;
        for (int attempt = 0; killed < KILLS; attempt++)
        {
            assertTrue(attempt < 3 * KILLS, "too many jobs ended before they could be hit");
            killed += tryKill(random, attempt) ? 1 : 0;
        }
        assertEquals(sharedMemoryBefore, TuttiJob.sharedMemory());
    }

    private static boolean tryKill(final Random random, final int attempt) throws Exception
    {
        final int victim = random.nextInt(RANKS);
        final long delayMs = random.nextInt(1_500);
        try (TuttiJob job = TuttiJob.start(RANKS, List.of(), KillTarget.class, Integer.toString(RUN_MS)))
        {
            final String at = "attempt " + attempt + ", rank " + victim + " after " + delayMs + " ms: ";
            long pid = 0;
            final long hit = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMs);
            while (job.launcher().isAlive() && (pid == 0 || System.nanoTime() - hit < 0))
            {
                pid = pid == 0 ? job.pid(victim) : pid;
                Thread.sleep(1);
            }
            // The victim's own exit races with the shot: what the job's end says then is either's.
            final boolean wasClosing = job.output().contains("closing " + victim);
            final boolean hitIt = pid != 0 && ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly).orElse(false);

            final int exitCode = job.await(hitIt ? END_MS : 30_000);
            final String output = job.output();
            assertTrue(exitCode >= 0, () -> at + "the job hangs\n" + output);
            final List<Long> left = job.remaining(2_000);
            assertEquals(List.of(), left, () -> at + "processes are left\n" + output);
            if (!hitIt || (wasClosing && exitCode == 0))
            {
                assertEquals(0, exitCode, () -> at + "not hit, but failed\n" + output);
                return false;
            }
            assertEquals(137, exitCode, () -> at + "wrong exit code\n" + output);
            assertTrue(output.contains("rank " + victim), () -> at + "the rank is not named\n" + output);
            assertTrue(output.contains("SIGKILL"), () -> at + "the signal is not named\n" + output);
            return true;
        }
    }
}
