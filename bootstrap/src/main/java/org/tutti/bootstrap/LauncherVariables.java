/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.List;

/**
 * The names of the environment variables in which a launcher passes a process its rank.
 *
 * @param marker    the variable whose presence identifies the launcher.
 * @param rank      the variable for the rank.
 * @param size      the variable for the number of ranks.
 * @param localRank the variable for the index among the ranks of the host.
 * @param localSize the variable for the number of ranks on the host.
 * @param jobId     the variable for the name of the job.
 * @param step      the variables of launchers that run several steps of one job concurrently; null for others.
 */
record LauncherVariables(
    String marker, String rank, String size, String localRank, String localSize, String jobId, Step step)
{
    /**
     * The variables of a step.
     *
     * @param id    the variable for the step's number within the job.
     * @param hosts the variable for the number of hosts of the step.
     * @param ports the variable for the ports reserved for the step, such as {@code 12000-12003}.
     * @param nodes the variable for the names of the step's hosts.
     * @param runs  the variable for the number of earlier runs of a requeued job; not set in its first run.
     */
    record Step(String id, String hosts, String ports, String nodes, String runs)
    {
    }

    /**
     * All launchers; the first whose marker is set applies. Slurm's marker is that of a step: a batch script outside a
     * step has a rank too, but no peers. Hydra precedes Slurm: inside an allocation it starts its proxies by a step,
     * whose variables all ranks inherit. Slurm precedes the other launchers that set PMI's variables, as it sets them
     * too.
     */
    static final List<LauncherVariables> ALL = List.of(
        new LauncherVariables(
            "RANK", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RUN_ID"),
        new LauncherVariables(
            "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
            "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_MCA_ess_base_jobid"),
        new LauncherVariables(
            "MPI_LOCALRANKID", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "PMI_JOBID"),
        new LauncherVariables(
            "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID",
            "LOCAL_WORLD_SIZE", "SLURM_JOB_ID",
            new Step("SLURM_STEP_ID", "SLURM_STEP_NUM_NODES", "SLURM_STEP_RESV_PORTS", "SLURM_STEP_NODELIST",
            "SLURM_RESTART_COUNT")),
        new LauncherVariables(
            "PMI_RANK", "PMI_RANK", "PMI_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "PMI_JOBID"),
        new LauncherVariables(
            "PMIX_RANK", "PMIX_RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "PMIX_NAMESPACE"));

    private LauncherVariables(
        final String marker,
        final String rank,
        final String size,
        final String localRank,
        final String localSize,
        final String jobId)
    {
        this(marker, rank, size, localRank, localSize, jobId, null);
    }
}
