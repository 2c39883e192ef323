/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * If any rank is killed at any time, the others end by themselves within seconds, each with its own error that names
 * the rank, and no process or file is left.
 */
@Execution(ExecutionMode.CONCURRENT)
class KillTest
{
    private static final int KILLS = Integer.getInteger("tutti.test.kills", 4);
    /** With fewer kills, a phase may be missed by chance. */
    private static final int KILLS_FOR_ALL_PHASES = 50;
    private static final int RANKS = 3;
    private static final int RUN_MS = 300;
    private static final long PHASE_TIMEOUT_MS = 60_000;
    /** Far below the grace period of the launcher. */
    private static final long END_MS = 20_000;
    /** Phase of the victim when it was killed; it prints a line at the start of each phase but the first. */
    private enum Phase
    {
        START(null, 100), CONNECT("connecting", 200), COLLECTIVE("connected", RUN_MS), CLOSE("closing", 5);

        private final String word;
        private final int delayMs;

        Phase(final String word, final int delayMs)
        {
            this.word = word;
            this.delayMs = delayMs;
        }

        boolean isReached(final String output, final int rank)
        {
            return word == null || said(output, rank, word + " " + rank);
        }

        /** Phase of a rank, from its output. */
        static Phase of(final String output, final int rank)
        {
            Phase last = START;
            for (final Phase phase : values())
            {
                last = phase.isReached(output, rank) ? phase : last;
            }
            return last;
        }
    }

    @Test
    @Timeout(value = 45, unit = TimeUnit.MINUTES)
    void shouldEndAndCleanUpWhenARankIsKilled() throws Exception
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        final Random random = new Random(seed);
        final Map<Phase, Integer> hits = new EnumMap<>(Phase.class);
        int killed = 0;
        for (int attempt = 0; killed < KILLS; attempt++)
        {
            assertTrue(attempt < 3 * KILLS, "too many jobs ended before the kill");
            final Phase aim = Phase.values()[attempt % Phase.values().length];
            final Phase hit = tryKill(random, aim, "seed " + seed + ", attempt " + attempt);
            if (hit != null)
            {
                hits.merge(hit, 1, Integer::sum);
                killed++;
            }
        }
        System.out.println("seed " + seed + ", kills " + hits);
        assertTrue(KILLS < KILLS_FOR_ALL_PHASES || hits.size() == Phase.values().length,
            () -> "phases without a kill: " + hits);
    }

    /** Runs one job and kills a rank; returns its phase, or null if it exited before. */
    private static Phase tryKill(final Random random, final Phase aim, final String attempt) throws Exception
    {
        final int victim = random.nextInt(RANKS);
        final long delayNs = random.nextLong(TimeUnit.MILLISECONDS.toNanos(aim.delayMs));
        try (TuttiJob job = TuttiJob.start(RANKS, options(random), KillTarget.class, Integer.toString(RUN_MS)))
        {
            final long pid = awaitPhase(job, aim, victim);
            TimeUnit.NANOSECONDS.sleep(delayNs);
            final Phase phase = Phase.of(job.output(), victim);
            final boolean isHit = pid != 0 && ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly).orElse(false);
            final String at = attempt + ", rank " + victim + " in " + phase + ": ";

            final int exitCode = job.await(isHit ? END_MS : PHASE_TIMEOUT_MS);
            final String output = job.output();
            assertTrue(exitCode >= 0, () -> at + "the job hangs\n" + output);
            final List<Long> left = job.remaining(END_MS);
            assertEquals(List.of(), left, () -> at + "processes are left\n" + output);
            assertEquals(List.of(), job.sharedMemory(), () -> at + "files are left\n" + output);
            // The victim's own exit races with the kill: either may determine the job's result.
            if (!isHit || (phase == Phase.CLOSE && exitCode == 0))
            {
                assertEquals(0, exitCode, () -> at + "not killed, but failed\n" + output);
                return null;
            }
            assertEquals(137, exitCode, () -> at + "wrong exit code\n" + output);
            assertTrue(output.lines().anyMatch(line -> line.startsWith("tutti: rank " + victim + " on ") &&
                line.endsWith(" failed: killed by SIGKILL")), () -> at + "not named by the launcher\n" + output);
            for (int rank = 0; rank < RANKS; rank++)
            {
                assertTrue(rank == victim || reportsVictim(output, rank, victim),
                    at + "rank " + rank + " does not name the victim\n" + output);
            }
            return phase;
        }
    }

    /** Most jobs use the first compiler only, to start fast; a third post work requests, as with a device. */
    private static List<String> options(final Random random)
    {
        // The grace period exceeds the test's timeout, so that the launcher does not end a hanging rank.
        return List.of(
            "--tag", "--grace", "120s", "-J-XX:+UseSerialGC",
            "-J" + (random.nextInt(10) == 0 ? TuttiJob.BOTH_COMPILERS : TuttiJob.FAST_TO_START),
            "-x", "TUTTI_ALGORITHM=allreduce:1m-:direct",
            "-x", "TUTTI_DIRECT=" + (random.nextInt(3) == 0 ? 0 : 1));
    }

    /** Waits until the victim reaches a phase, if it does; returns the victim's process, or 0. */
    private static long awaitPhase(final TuttiJob job, final Phase aim, final int victim) throws Exception
    {
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PHASE_TIMEOUT_MS);
        long pid = 0;
        while (job.launcher().isAlive() && System.nanoTime() - deadline < 0 &&
            (pid == 0 || !aim.isReached(job.output(), victim)))
        {
            pid = pid == 0 ? job.pid(victim) : pid;
            // Scanning all processes too often would delay the start of the processes that it waits for.
            Thread.sleep(pid == 0 ? 5 : 1);
        }
        return pid;
    }

    /**
     * Whether a survivor that had connected threw an exception that names the victim. A survivor that has completed its
     * last call need not throw.
     */
    private static boolean reportsVictim(final String output, final int rank, final int victim)
    {
        return !Phase.COLLECTIVE.isReached(output, rank) || Phase.CLOSE.isReached(output, rank) ||
            output.lines().anyMatch(line -> line.startsWith("[" + rank + "] ") &&
                line.contains("RankFailedException: ") &&
                line.contains("rank " + victim + " on ") && line.endsWith(" failed: killed by SIGKILL"));
    }

    private static boolean said(final String output, final int rank, final String words)
    {
        return output.contains("[" + rank + "] " + words + "\n");
    }
}
