/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.util.List;
import java.util.Map;

import org.tutti.bootstrap.Hosts;
import org.tutti.launcher.io.UsageException;

/**
 * The nodes that Slurm allocated to this process, according to its environment: if this process is a task of a step,
 * the nodes of the step, else the nodes of the whole allocation.
 *
 * @param jobId    the id of the Slurm job.
 * @param nodes    the names of the nodes as Slurm writes them, such as {@code n[1-4]}.
 * @param count    the number of nodes; -1 if unknown.
 * @param taskNode the node of this process if Slurm started it, or an ancestor of it, as a task or batch script; else
 *                 null, as for processes that {@code salloc} runs.
 */
public record SlurmAllocation(String jobId, String nodes, int count, String taskNode)
{
    /** The step of the shell that salloc starts on the first node, for use of the whole allocation. */
    private static final String INTERACTIVE_STEP = "4294967290";

    /**
     * Reads the environment.
     *
     * @param variables the variables by name, as {@link System#getenv()} returns them.
     * @return the allocation, or null outside of an allocation.
     */
    public static SlurmAllocation read(final Map<String, String> variables)
    {
        final String jobId = text(variables, "SLURM_JOB_ID");
        if (jobId == null)
        {
            return null;
        }
        final String step = text(variables, "SLURM_STEP_ID");
        final String scope = step == null || step.equals(INTERACTIVE_STEP) ? "SLURM_JOB_" : "SLURM_STEP_";
        final String nodes = text(variables, scope + "NODELIST");
        return new SlurmAllocation(
            jobId,
            nodes == null ? "" : nodes,
            count(text(variables, scope + "NUM_NODES")),
            text(variables, "SLURM_TASK_PID") == null ? null : text(variables, "SLURMD_NODENAME"));
    }

    private static String text(final Map<String, String> variables, final String name)
    {
        final String value = variables.get(name);
        return value == null || value.isBlank() ? null : value.strip();
    }

    private static int count(final String number)
    {
        try
        {
            return number == null ? -1 : Integer.parseInt(number);
        }
        catch (final NumberFormatException ex)
        {
            return -1;
        }
    }

    /**
     * Returns whether Slurm ends this process with the allocation.
     *
     * @return true for tasks and batch scripts.
     */
    public boolean isEndedBySlurm()
    {
        return taskNode != null;
    }

    /**
     * Rejects running all ranks on this host if the allocation has other nodes, which the user intends to use.
     *
     * @throws UsageException       if this host is not the only node.
     * @throws InterruptedException if the thread is interrupted.
     */
    public void requireThisHostOnly() throws InterruptedException
    {
        if (count > 1 || nodes.indexOf(',') >= 0 || nodes.indexOf('[') >= 0)
        {
            throw refusal("has " + (count > 1 ? count + " nodes" : "several nodes") +
                (nodes.isEmpty() ? "" : ", " + nodes) + ", but without hosts all ranks would run on this one");
        }
        if (!nodes.isEmpty() && !nodes.equals(taskNode) && !isThisHost(nodes))
        {
            throw refusal("has node " + nodes + ", but without hosts all ranks would run on this host, " +
                Hosts.local());
        }
    }

    private UsageException refusal(final String problem)
    {
        return new UsageException("Slurm job " + jobId + " " + problem + ": give --host or --hostfile with the " +
            "node names ('scontrol show hostnames' lists them), start the ranks by 'srun ./tutti COMMAND', or give " +
            "--host localhost:N for N ranks on this host");
    }

    private static boolean isThisHost(final String node) throws InterruptedException
    {
        final List<HostSlots> slots = List.of(new HostSlots(node, 1));
        return new HostNames(slots).distinct(slots).getFirst().name().equals(Hosts.local());
    }
}
