/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Slurm's srun, which runs a command as a step of this process's allocation. The step has one task, shares the node's
 * resources with other steps, and gets the environment of this process.
 *
 * @param srun  the path of srun.
 * @param jobId the id of the Slurm job.
 */
public record SrunShell(String srun, String jobId) implements RemoteShell
{
    /**
     * Options for a step of one task that takes no resources from the user's steps and does not wait for them. Without
     * {@code --unbuffered}, srun passes on whole lines only.
     */
    private static final List<String> ONE_TASK = List.of(
        "--nodes=1", "--ntasks=1", "--chdir=/", "--mpi=none", "--unbuffered", "--quiet",
        "--overlap", "--mem=0", "--immediate=60");
    /** The Slurm variables that identify the allocation; all others are options of srun. */
    private static final Set<String> KEPT =
        Set.of("SLURM_JOB_ID", "SLURM_CONF", "SLURM_CLUSTERS", "SLURM_WORKING_CLUSTER", "SLURM_JWT");

    /**
     * Builds a command that runs another as a step of one task.
     *
     * @param srun    the path of srun.
     * @param options further options of srun, and the command.
     * @return the words of the command.
     */
    public static List<String> oneTask(final String srun, final List<String> options)
    {
        final List<String> command = new ArrayList<>();
        command.add(srun);
        command.addAll(ONE_TASK);
        command.addAll(options);
        return command;
    }

    /**
     * Removes the variables of the user's job and step that srun would read as options.
     *
     * @param environment the environment of srun, to be modified.
     */
    public static void removeOptions(final Map<String, String> environment)
    {
        environment.keySet().removeIf(name ->
            (name.startsWith("SLURM_") || name.startsWith("SRUN_")) && !KEPT.contains(name));
    }

    @Override
    public String name()
    {
        return "srun";
    }

    @Override
    public List<String> command(final String host, final String line)
    {
        // All cores that the job has on the node: ranks are bound by --bind only.
        return oneTask(srun, List.of(
            "--job-name=tutti-agent", "--nodelist=" + host, "--cpu-bind=none", "sh", "-c", line));
    }

    @Override
    public void prepare(final Map<String, String> environment)
    {
        removeOptions(environment);
        // That of the user's login, which says nothing about the way from here to the node.
        environment.keySet().removeAll(Set.of("SSH_CONNECTION", "SSH_CLIENT"));
    }

    @Override
    public String failure(final String host, final int code, final String said)
    {
        return said.startsWith(": srun: ") ? "srun cannot start a step there" + said +
            ": try 'srun --jobid=" + jobId + " --overlap --nodelist=" + host + " true', or give --ssh" : null;
    }

    @Override
    public boolean isReportOfEnd(final String line)
    {
        return line.matches("srun: (error: \\S+: tasks? [0-9,-]+: |Job step aborted|Terminating |launch/slurm: ).*");
    }
}
