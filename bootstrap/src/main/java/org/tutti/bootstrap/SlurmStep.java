/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/**
 * What a rank started by srun knows about the ways to agree on a secret with ranks on other hosts.
 *
 * @param pmiDescriptor the file descriptor of a connection to PMI-2's server; -1 if there is none.
 * @param pmiJobId      the id of the job for that server; may be empty.
 * @param directory     the directory that the user chose for the secret; null if there is none.
 * @param path          the directories of programs, separated by colons.
 * @param earlierJobId  the id that the job had in its last run, before Slurm requeued it; null in its first run.
 */
public record SlurmStep(int pmiDescriptor, String pmiJobId, String directory, String path, String earlierJobId)
{
    private static final String PMI_FD = "PMI_FD";
    private static final String DISTRIBUTION = "SLURM_DISTRIBUTION";
    private static final String ARBITRARY = "arbitrary";
    private static final int MAX_DESCRIPTOR = 1 << 30;
    private static final int MAX_RUNS = 1 << 20;

    static SlurmStep read(final EnvironmentReader reader, final String earlierJobId)
    {
        final String pmiJobId = reader.text("PMI_JOBID");
        final String path = reader.text("PATH");
        return new SlurmStep(
            reader.number(PMI_FD, 0, MAX_DESCRIPTOR, -1),
            pmiJobId == null ? "" : pmiJobId,
            reader.text(JobEnvironment.TUTTI_SECRET_DIR),
            path == null ? "/usr/bin:/bin" : path,
            earlierJobId);
    }

    /** Returns how often a step's job was requeued. */
    static int earlierRuns(final EnvironmentReader reader, final LauncherVariables.Step step)
    {
        return step == null ? 0 : reader.number(step.runs(), 0, MAX_RUNS, 0);
    }

    /** Returns the host of rank 0, which is the first host of the step, or null if it is unknown. */
    static String firstHost(final EnvironmentReader reader, final LauncherVariables.Step step)
    {
        final String distribution = reader.text(DISTRIBUTION);
        if (distribution != null && distribution.startsWith(ARBITRARY))
        {
            // Slurm sorts the list.
            throw new BootstrapException(DISTRIBUTION + "=" + distribution +
                " does not tell which host has rank 0: set " + JobEnvironment.MASTER_ADDR +
                " to the first host in the file of hosts, the same for all ranks");
        }
        final String nodes = reader.text(step.nodes());
        try
        {
            return nodes == null ? null : SlurmNodeList.expand(nodes).getFirst();
        }
        catch (final IllegalArgumentException ex)
        {
            throw new BootstrapException(step.nodes() + "=" + ex.getMessage() + "; set " + JobEnvironment.MASTER_ADDR +
                " to the host of rank 0, the same for all ranks", ex);
        }
    }
}
