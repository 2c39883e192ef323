/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.List;

/**
 * The names of the environment variables by which a launcher tells a process its rank.
 *
 * @param marker    the variable whose presence means that this launcher started the process.
 * @param rank      the variable for the rank.
 * @param size      number of ranks.
 * @param localRank rank among those of the host.
 * @param localSize number of ranks on the host.
 * @param jobId     name of the job.
 * @param step      what only a launcher has that runs several steps of one job at once; null for the others.
 */
record LauncherVariables(
    String marker, String rank, String size, String localRank, String localSize, String jobId, Step step)
{
    /**
     * The variables of a step.
     *
     * @param id    the step's number within the job.
     * @param hosts number of hosts of the step.
     * @param ports the ports that the launcher reserved for the step, such as {@code 12000-12003}.
     * @param nodes the names of the step's hosts, for messages.
     */
    record Step(String id, String hosts, String ports, String nodes)
    {
    }

    /**
     * The first whose marker is set counts. Slurm's is the step's: a batch script outside a step has a rank too, but is
     * alone. Hydra comes before Slurm: inside an allocation it starts its proxies by a step, whose variables all ranks
     * inherit. Slurm comes before other users of PMI's variables, which it sets, too.
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
            new Step("SLURM_STEP_ID", "SLURM_STEP_NUM_NODES", "SLURM_STEP_RESV_PORTS", "SLURM_STEP_NODELIST")),
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
