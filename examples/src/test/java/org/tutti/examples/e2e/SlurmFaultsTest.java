/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Jobs on a Slurm cluster that are cancelled at any time, or whose node loses Slurm's daemon: nothing is left. {@link
 * SlurmTest} has the other tests.
 */
@Tag("torture")
@Timeout(1200)
class SlurmFaultsTest extends SlurmFixture
{
    private static final int TIMES = Integer.getInteger("tutti.test.cancels", 20);
    private static final int START_MS = 1_500;
    private static final int END_MS = 500;

    @ParameterizedTest
    @ValueSource(strings = { "step", "srun", "ssh" })
    void shouldLeaveNothingWhenCancelledDuringStart(final String way) throws Exception
    {
        final Random random = random(way);
        for (int i = 0; i < TIMES; i++)
        {
            try (TuttiJob job = start(words(way)))
            {
                // Any moment of the start: its result does not matter, and the rest is the same.
                Thread.sleep(random.nextInt(START_MS));
                cancel(job);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "step", "srun", "ssh" })
    void shouldLeaveNothingWhenCancelledWhileRunning(final String way) throws Exception
    {
        for (int i = 0; i < TIMES; i++)
        {
            try (TuttiJob job = start(words(way)))
            {
                await(job, "running 0\n");
                await(job, "running 1\n");
                cancel(job);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "step", "srun", "ssh" })
    void shouldLeaveNothingWhenCancelledDuringEnd(final String way) throws Exception
    {
        final Random random = random(way);
        for (int i = 0; i < TIMES; i++)
        {
            try (TuttiJob job = start(words(way)))
            {
                await(job, "running 0\n");
                await(job, "running 1\n");
                endTargets();
                Thread.sleep(random.nextInt(END_MS));
                cancel(job);
            }
        }
    }

    /** Slurm's daemon only starts and ends tasks; the processes of a step do without it. */
    @ParameterizedTest
    @ValueSource(strings = { "step", "srun" })
    void shouldComputeCorrectlyWhenDaemonOfNodeIsKilled(final String way) throws Exception
    {
        try (TuttiJob job = start(words(way)))
        {
            await(job, "running 0\n");
            await(job, "running 1\n");
            killDaemon("b");
            try
            {
                endTargets();
                assertEquals(0, job.await(FaultJobs.LIMIT_MS), job.output());
                assertTrue(job.output().contains("correct 0\n") && job.output().contains("correct 1\n"), job.output());
            }
            finally
            {
                startDaemon("b");
            }
            assertNothingLeft(job);
        }
    }

    /** Slurm cannot end the task of that node, which ends with the others. */
    @ParameterizedTest
    @ValueSource(strings = { "step", "srun", "ssh" })
    void shouldLeaveNothingWhenCancelledWhileDaemonOfNodeIsDown(final String way) throws Exception
    {
        try (TuttiJob job = start(words(way)))
        {
            await(job, "running 0\n");
            await(job, "running 1\n");
            killDaemon("b");
            try
            {
                assertEquals("", slurm("scancel", "--name=cancelled"));
                assertNotEquals(-1, job.await(FaultJobs.LIMIT_MS), job.output());
                assertEquals(List.of(), job.remaining(FaultJobs.LIMIT_MS), job.output());
            }
            finally
            {
                startDaemon("b");
            }
            assertNothingLeft(job);
        }
    }

    @Test
    void shouldNameNodeWhoseDaemonIsKilledBeforeTheStart() throws Exception
    {
        killDaemon("b");
        try (TuttiJob job = start(words("srun")))
        {
            try
            {
                assertTrue(job.await(FaultJobs.LIMIT_MS) > 0, job.output());
                assertTrue(job.output().contains("cannot start on b: "), job.output());
                assertEquals(List.of(), job.remaining(FaultJobs.LIMIT_MS), job.output());
            }
            finally
            {
                startDaemon("b");
            }
            assertNothingLeft(job);
        }
    }

    /** The second run has the job's numbers, and so the port, of the first. */
    @Test
    void shouldJoinAgainWhenJobIsRequeued() throws Exception
    {
        final Path output = directory().resolve("requeued.out");
        try (TuttiJob job = start(List.of("sbatch", "--parsable", "--requeue", "-N2", "-n2", "--open-mode=append",
            "--job-name=cancelled", "-o", output.toString(), "--export=ALL,TUTTI_SECRET_DIR=" + directory(),
            "--wrap", "srun sh -c 'echo restarts $SLURM_RESTART_COUNT; exec " + target() + "'")))
        {
            assertEquals(0, job.await(FaultJobs.LIMIT_MS), job.output());
            final String id = job.output().strip();
            awaitLines(output, "running 0", 1);
            awaitLines(output, "running 1", 1);
            assertEquals("", slurm("scontrol", "requeue", id));
            // Slurm waits for two minutes before it starts a requeued job.
            final long startNs = System.nanoTime();
            while (!Files.readString(output).contains("restarts 1\n"))
            {
                slurm("scontrol", "update", "JobId=" + id, "StartTime=now");
                assertTrue(System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(2 * FaultJobs.LIMIT_MS),
                    slurm("scontrol", "show", "job", id));
                Thread.sleep(200);
            }
            awaitLines(output, "running 0", 2);
            awaitLines(output, "running 1", 2);
            awaitLines(output, "restarts 1", 2);
            endTargets();
            awaitLines(output, "correct 0", 1);
            awaitLines(output, "correct 1", 1);
            assertNothingLeft(job);
        }
    }

    private static void awaitLines(final Path file, final String line, final int times) throws Exception
    {
        final long startNs = System.nanoTime();
        while (!Files.exists(file) || Files.readAllLines(file).stream().filter(line::equals).count() < times)
        {
            assertTrue(System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(FaultJobs.LIMIT_MS),
                Files.exists(file) ? Files.readString(file) : "no " + file);
            Thread.sleep(20);
        }
    }

    private static Random random(final String way)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("cancelling " + way + ": -Dtutti.test.seed=" + seed);
        return new Random(seed);
    }

    private void cancel(final TuttiJob job) throws Exception
    {
        slurm("scancel", "--name=cancelled");
        // A command that was about to request its allocation when it was cancelled still gets one.
        while (job.await(1_000) == -1)
        {
            slurm("scancel", "--name=cancelled");
        }
        assertNotEquals(-1, job.await(FaultJobs.LIMIT_MS));
        assertNothingLeft(job);
        assertEquals("", slurm("squeue", "--noheader"));
    }

    private List<String> words(final String way)
    {
        if (way.equals("step"))
        {
            return List.of("srun", "-N2", "-n2", "-wa,b", "--job-name=cancelled", target());
        }
        final List<String> words = new ArrayList<>(List.of("salloc", "-Q", "-N2", "-n2", "-wa,b",
            "--job-name=cancelled", tutti(), "run", "-q", "--remote-path", hosts().installation().toString()));
        if (way.equals("ssh"))
        {
            words.addAll(List.of("--ssh", "ssh"));
        }
        words.addAll(targetWords());
        return words;
    }
}
