/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** Jobs on a Slurm cluster that are cancelled at any time: nothing is left. {@link SlurmTest} has the other tests. */
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
            return List.of("srun", "-N2", "-n2", "--job-name=cancelled", target());
        }
        final List<String> words = new ArrayList<>(List.of("salloc", "-Q", "-N2", "-n2", "--job-name=cancelled",
            tutti(), "run", "-q", "--remote-path", hosts().installation().toString()));
        if (way.equals("ssh"))
        {
            words.addAll(List.of("--ssh", "ssh"));
        }
        words.addAll(targetWords());
        return words;
    }
}
