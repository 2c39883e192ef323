/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.SlurmNodeList;
import org.tutti.launcher.io.UsageException;

/**
 * The nodes that Slurm allocated to this process, according to its environment: if this process is a task of a step,
 * the nodes of the step, else the nodes of the whole allocation.
 *
 * @param jobId     the id of the Slurm job.
 * @param nodes     the names of the nodes as Slurm writes them, such as {@code n[1-4]}.
 * @param count     the number of nodes; -1 if unknown.
 * @param tasks     the numbers of tasks of the nodes as Slurm writes them, such as {@code 2(x4)}; empty if unknown.
 * @param stepTasks the number of tasks of this process's step; 0 outside of a step.
 * @param taskNode  the node of this process if Slurm started it, or an ancestor of it, as a task or batch script; else
 *                  null, as for processes that {@code salloc} runs.
 * @param parts     the number of components of a heterogeneous job whose nodes this process may use; else 1 or less.
 */
public record SlurmAllocation(
    String jobId, String nodes, int count, String tasks, int stepTasks, String taskNode, int parts)
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
        if (jobId.isEmpty())
        {
            return null;
        }
        final String step = text(variables, "SLURM_STEP_ID");
        final boolean isStep = !step.isEmpty() && !step.equals(INTERACTIVE_STEP);
        final String scope = isStep ? "SLURM_STEP_" : "SLURM_JOB_";
        return new SlurmAllocation(
            jobId,
            text(variables, scope + "NODELIST"),
            count(text(variables, scope + "NUM_NODES")),
            text(variables, isStep ? "SLURM_STEP_TASKS_PER_NODE" : "SLURM_TASKS_PER_NODE"),
            isStep ? Math.max(1, count(text(variables, "SLURM_STEP_NUM_TASKS"))) : 0,
            text(variables, "SLURM_TASK_PID").isEmpty() || text(variables, "SLURMD_NODENAME").isEmpty() ? null :
                text(variables, "SLURMD_NODENAME"),
            isStep ? 1 : count(text(variables, "SLURM_HET_SIZE")));
    }

    private static String text(final Map<String, String> variables, final String name)
    {
        final String value = variables.get(name);
        return value == null ? "" : value.strip();
    }

    private static int count(final String number)
    {
        try
        {
            return Integer.parseInt(number);
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
     * Returns the nodes with one slot per task. The node of this process has the name of this host.
     *
     * @param size the number of ranks, which are distributed evenly if the numbers of tasks are unknown; or -1.
     * @return the nodes in Slurm's order; empty if Slurm does not name the only node, which is then this host.
     * @throws UsageException if Slurm's lists are invalid, the slots are fewer than the ranks, or this process is one
     *                        of several tasks, each of which would start the job.
     */
    public List<HostSlots> hosts(final int size)
    {
        if (stepTasks > 1)
        {
            throw new UsageException("each of the " + stepTasks + " tasks of this step of Slurm job " + jobId +
                " would start all ranks: run 'srun tutti COMMAND', without run, or one task (srun -n 1 tutti run)");
        }
        if (parts > 1)
        {
            // Each component has variables of its own.
            throw refusal("is heterogeneous, with " + parts +
                " components, which tutti run does not combine: request one kind of nodes");
        }
        if (nodes.isEmpty())
        {
            if (count > 1)
            {
                throw refusal("has " + count + " nodes, but the list of its nodes is missing in the environment");
            }
            return List.of();
        }
        final List<HostSlots> hosts = new ArrayList<>();
        try
        {
            final List<String> names = SlurmNodeList.expand(nodes);
            final int even = Math.max(1, (size + names.size() - 1) / names.size());
            final List<Integer> slots =
                tasks.isEmpty() ? Collections.nCopies(names.size(), even) : SlurmNodeList.perNode(tasks, names.size());
            for (int i = 0; i < names.size(); i++)
            {
                final String name = names.get(i);
                hosts.add(new HostSlots(name.equals(taskNode) ? Hosts.local() : name, slots.get(i)));
            }
        }
        catch (final IllegalArgumentException ex)
        {
            throw refusal("has an invalid list: " + ex.getMessage());
        }
        final int slots = hosts.stream().mapToInt(HostSlots::slots).sum();
        if (size > slots && hosts.size() == 1 && nodes.equals(taskNode))
        {
            // Without other nodes, Slurm starts no ranks, so its number of tasks, often 1 by default, does not matter.
            return List.of();
        }
        if (size > slots)
        {
            throw refusal("has " + slots + (slots == 1 ? " task" : " tasks") + " on " + nodes +
                ", fewer than -np " + size + ": request more tasks (-n " + size + ")");
        }
        return hosts;
    }

    /**
     * Checks that the allocation has as many nodes as a job.
     *
     * @param variables the environment.
     * @param needed    the number of nodes of the job.
     * @throws UsageException if the allocation, or the job's, has fewer nodes.
     */
    public static void requireNodes(final Map<String, String> variables, final int needed)
    {
        final int allocated = count(text(variables, "SLURM_JOB_NUM_NODES"));
        if (!text(variables, "SLURM_JOB_ID").isEmpty() && allocated > 0 && allocated < needed)
        {
            throw new UsageException("--nnodes " + needed + " exceeds the " + allocated +
                (allocated == 1 ? " node" : " nodes") + " of Slurm job " + text(variables, "SLURM_JOB_ID") + ", " +
                text(variables, "SLURM_JOB_NODELIST") + ": request more (sbatch -N " + needed + "), or give fewer");
        }
    }

    private UsageException refusal(final String problem)
    {
        return new UsageException("Slurm job " + jobId + " " + problem +
            ", or give --host with names and slots, such as --host localhost:N for N ranks on this host");
    }
}
