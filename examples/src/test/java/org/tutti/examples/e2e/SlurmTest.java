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

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Jobs on a Slurm cluster of three hosts, which are namespaces of this one. {@link SlurmFaultsTest} has the faults that
 * are not tested in every build.
 */
@Timeout(300)
class SlurmTest extends SlurmFixture
{
    @ParameterizedTest
    @ValueSource(strings = { "none", "pmi2" })
    void shouldJoinRanksOfStepWithNothingSet(final String mpi) throws Exception
    {
        final String output = succeed("srun", "--mpi=" + mpi, "-N2", "-n3", tutti(), "hello");

        for (int rank = 0; rank < 3; rank++)
        {
            assertTrue(output.contains("hello from rank " + rank + " of 3 on " + "aab".charAt(rank) + " "), output);
        }
        assertTrue(output.contains("together over shm/shm0+tcp/eth0: the ranks sum up to 3\n"), output);
        assertFalse(output.contains("WARNING"), output);
    }

    @Test
    void shouldAgreeOnSecretByFileWhenDirectoryIsGiven() throws Exception
    {
        final String output = succeed("env", "TUTTI_SECRET_DIR=" + directory(), "srun", "-N3", "-n3", tutti(), "hello");

        assertTrue(output.contains("together over tcp/eth0: the ranks sum up to 3\n"), output);
    }

    @Test
    void shouldJoinRanksThatUserPlacedWhenHostOfRankZeroIsGiven() throws Exception
    {
        final Path list = Files.writeString(directory().resolve("places"), "c\na\n");

        final String output = succeed("salloc", "-Q", "-N3", "env", "SLURM_HOSTFILE=" + list, "MASTER_ADDR=c",
            "srun", "-n2", "-m", "arbitrary", tutti(), "hello");

        assertTrue(output.contains("hello from rank 0 of 2 on c "), output);
        assertTrue(output.contains("hello from rank 1 of 2 on a "), output);
    }

    @Test
    void shouldRunStepsOfOneJobAtOnce() throws Exception
    {
        final String step = "srun --overlap -N2 -n2 '" + tutti() + "' hello";

        final String output = succeed("salloc", "-Q", "-N2", "-n2", "sh", "-c", step + " & " + step + "; wait");

        assertEquals(2, output.split("the ranks sum up to 1\n", -1).length - 1, output);
    }

    @Test
    void shouldTakeHostsAndSlotsFromAllocation() throws Exception
    {
        checkAllocation("salloc");
    }

    @Test
    @Tag("torture")
    void shouldTakeHostsAndSlotsInBatchScript() throws Exception
    {
        checkAllocation("sbatch");
    }

    private void checkAllocation(final String command) throws Exception
    {
        final Path file = directory().resolve(command + ".out");
        final String path = hosts().installation().toString();
        final List<String> words = command.equals("salloc") ?
            List.of("salloc", "-Q", "-N2", "-n3", tutti(), "run", "-q", "--remote-path", path, "hello") :
            List.of("sbatch", "-W", "-N2", "-n3", "-o", file.toString(), "--wrap",
                "'" + tutti() + "' run -q --remote-path '" + path + "' hello");

        final String printed = succeed(words.toArray(String[]::new));

        final String output = command.equals("salloc") ? printed : Files.readString(file);
        for (int rank = 0; rank < 3; rank++)
        {
            assertTrue(output.contains("hello from rank " + rank + " of 3 on " + "aab".charAt(rank) + " "), output);
        }
        assertTrue(output.contains("together over shm/shm0+tcp/eth0: the ranks sum up to 3\n"), output);
    }

    @Test
    @Tag("torture")
    void shouldRestartRanksInAllocationWhenOneFails() throws Exception
    {
        final String output = succeed("salloc", "-Q", "-N2", "-n2", tutti(), "run", "-q", "--remote-path",
            hosts().installation().toString(), "--max-restarts", "2", "sh", "-c",
            "[ $TUTTI_RESTART_COUNT = 1 ] && exec echo again $RANK; [ $RANK = 0 ] && exec sleep 600; exit 3");

        assertTrue(output.lines().anyMatch(line -> line.matches(
            "tutti: rank 1 on b .* failed: exited with code 3; restart 1 of 2")), output);
        assertTrue(output.contains("again 0\n") && output.contains("again 1\n"), output);
    }

    @Test
    void shouldEndRanksOfStepWhenItIsCancelled() throws Exception
    {
        try (TuttiJob job = start(List.of("srun", "-N2", "-n2", "--job-name=cancelled", target())))
        {
            await(job, "running 0\n");
            await(job, "running 1\n");
            assertEquals("", slurm("scancel", "--name=cancelled"));

            assertNotEquals(-1, job.await(FaultJobs.LIMIT_MS), job.output());
            assertNothingLeft(job);
        }
    }

    @Test
    void shouldEndRanksOfLauncherWhenAllocationIsCancelled() throws Exception
    {
        checkCancellation("");
    }

    /** HostsTest tests in every build that ranks started by ssh end when the connection ends. */
    @Test
    @Tag("torture")
    void shouldEndRanksStartedBySshWhenAllocationIsCancelled() throws Exception
    {
        checkCancellation("--ssh ssh");
    }

    private void checkCancellation(final String shell) throws Exception
    {
        final List<String> words = new ArrayList<>(
            List.of("salloc", "-Q", "-N2", "-n2", "--job-name=cancelled", tutti(), "run", "-q", "--remote-path",
            hosts().installation().toString()));
        if (!shell.isEmpty())
        {
            words.addAll(List.of(shell.split(" ", -1)));
        }
        words.addAll(targetWords());
        try (TuttiJob job = start(words))
        {
            await(job, "running 0\n");
            await(job, "running 1\n");
            assertEquals("", slurm("scancel", "--name=cancelled"));

            final int code = job.await(FaultJobs.LIMIT_MS);
            assertTrue(code > 0, code + ": " + job.output());
            assertTrue(job.output().contains("has ended: ending the ranks") || job.output().contains("lost b"),
                job.output());
            assertNothingLeft(job);
        }
    }

    /** What the killed task leaves is removed by the user's next job. */
    @Test
    void shouldNameTaskThatIsKilled() throws Exception
    {
        try (TuttiJob job = start(List.of("srun", "-N2", "-n2", target())))
        {
            await(job, "running 0\n");
            await(job, "running 1\n");
            assertTrue(ProcessHandle.of(pidOf(job, 1)).orElseThrow().destroyForcibly());

            final int code = job.await(FaultJobs.LIMIT_MS);
            assertTrue(code > 0, code + ": " + job.output());
            assertTrue(job.output().lines().anyMatch(line -> line.matches(".*Exception: .*\\brank 1\\b.*")),
                job.output());
            assertEquals(List.of(), job.remaining(FaultJobs.LIMIT_MS), job.output());
        }
        succeed("srun", "-N3", "-n3", tutti(), "hello");
    }

    /** Process of a task of Slurm, as this host numbers it. */
    private static long pidOf(final TuttiJob job, final int rank) throws Exception
    {
        for (final long pid : job.processes())
        {
            final Path process = Path.of("/proc", Long.toString(pid));
            final String environment = Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
            if (environment.contains("SLURM_PROCID=" + rank + "\0") &&
                Files.readString(process.resolve("comm")).startsWith("java"))
            {
                return pid;
            }
        }
        throw new AssertionError("rank " + rank + " has no process: " + job.output());
    }
}
