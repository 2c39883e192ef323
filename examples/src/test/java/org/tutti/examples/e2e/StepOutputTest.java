/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Ranks in the environment of a Slurm step, without Tutti's launcher: {@link SlurmTest} has such steps. */
@Timeout(300)
class StepOutputTest
{
    private static final int RANKS = 2;

    @TempDir
    private Path directory;

    /** As the warning about incubator modules, which the option for the Vector API would cause. */
    @Test
    void shouldPrintNoWarningsWhenSlurmStartsTheRanks() throws Exception
    {
        final List<Process> ranks = new ArrayList<>();
        try
        {
            for (int rank = 0; rank < RANKS; rank++)
            {
                ranks.add(start(rank));
            }
            for (int rank = 0; rank < RANKS; rank++)
            {
                final int code = ranks.get(rank).waitFor();
                final String errors = Files.readString(errors(rank));
                assertEquals("", errors);
                assertEquals(0, code);
            }
            assertTrue(Files.readString(output(0)).contains("# Out of bounds values : 0 OK"),
                Files.readString(output(0)));
            assertEquals("", Files.readString(output(1)));
        }
        finally
        {
            ranks.forEach(Process::destroyForcibly);
        }
    }

    private Process start(final int rank) throws IOException
    {
        final ProcessBuilder builder = new ProcessBuilder(
            TuttiJob.COMMAND.getFirst(), TuttiJob.FAST_TO_START, "@" + TuttiJob.OPTIONS, "org.tutti.launcher.cli.Main",
            "perf", "allreduce", "-b", "64k", "-e", "64k", "-n", "2", "-w", "1");
        builder.environment().putAll(Map.of(
            // Unique among the tests that run at the same time.
            "SLURM_JOB_ID", Long.toString(ProcessHandle.current().pid()), "SLURM_STEP_ID", "7",
            "SLURM_STEP_NUM_TASKS", Integer.toString(RANKS), "SLURM_PROCID", Integer.toString(rank),
            "SLURM_LOCALID", Integer.toString(rank), "SLURM_STEP_NUM_NODES", "1"));
        return builder.redirectOutput(output(rank).toFile()).redirectError(errors(rank).toFile()).start();
    }

    private Path output(final int rank)
    {
        return directory.resolve("out" + rank);
    }

    private Path errors(final int rank)
    {
        return directory.resolve("err" + rank);
    }
}
