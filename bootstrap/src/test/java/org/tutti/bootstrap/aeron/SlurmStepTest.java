/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.JobDirectory;

/** Ranks in the environment of a Slurm step on one host. */
class SlurmStepTest
{
    /** A job number that is unique among concurrent test runs on this host. */
    private static final long JOB = ProcessHandle.current().pid();

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses() throws InterruptedException
    {
        for (final Process process : processes)
        {
            process.destroyForcibly().waitFor();
        }
        JobDirectory.removeStale(JobDirectory.base());
    }

    @Test
    void shouldRunTwoStepsOfOneJobConcurrently() throws Exception
    {
        for (int step = 0; step < 2; step++)
        {
            start(step, 0, Map.of());
            start(step, 1, Map.of());
        }

        // Ranks wait after the barrier, so both steps run concurrently.
        for (final Process process : processes)
        {
            RankProcesses.awaitLine(process, "passed");
        }
    }

    /** Slurm ends all processes of a killed task, so none of its own could clean up. */
    @Test
    void shouldRemoveWhatKilledRankLeavesWhenOthersOfItsHostEnd() throws Exception
    {
        final Process zero = start(0, 0, Map.of());
        final Process one = start(0, 1, Map.of());
        RankProcesses.awaitLine(zero, "passed");
        RankProcesses.awaitLine(one, "passed");

        one.destroyForcibly().waitFor();

        final String output = RankProcesses.output(zero);
        assertTrue(output.contains("rank 1 "), output);
        try (Stream<Path> files = Files.list(JobDirectory.base()))
        {
            assertEquals(List.of(), files.map(file -> file.getFileName().toString())
                .filter(name -> name.contains("-rank1-" + one.pid() + "-") || name.contains("-" + JOB + ".0-"))
                .toList());
        }
    }

    @Test
    void shouldReportPortInUseAndVariableToSet() throws Exception
    {
        try (DatagramSocket other = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0)))
        {
            final int port = other.getLocalPort();

            final Process first = start(0, 0, Map.of("SLURM_STEP_RESV_PORTS", port + "-" + port));

            assertEquals("error: the coordinator cannot listen at 127.0.0.1:" + port + ": Address already in use; " +
                "MASTER_ADDR must be an address of this host, and MASTER_PORT a free UDP port: " +
                "set both to the same values on all ranks\n", RankProcesses.output(first));
        }
    }

    private Process start(final int step, final int rank, final Map<String, String> more)
    {
        final Map<String, String> environment = new HashMap<>(Map.of(
            "SLURM_JOB_ID", Long.toString(JOB), "SLURM_STEP_ID", Integer.toString(step),
            "SLURM_STEP_NUM_TASKS", "2", "SLURM_PROCID", Integer.toString(rank),
            "SLURM_LOCALID", Integer.toString(rank), "SLURM_STEP_NUM_NODES", "1"));
        environment.putAll(more);
        final Process process = RankProcesses.start(RankMain.class, environment, "hang");
        processes.add(process);
        return process;
    }
}
