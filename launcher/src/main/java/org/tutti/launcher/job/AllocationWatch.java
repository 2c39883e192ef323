/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

import org.tutti.launcher.host.SlurmAllocation;
import org.tutti.launcher.host.SpawnTools;
import org.tutti.launcher.io.Console;
import org.tutti.launcher.io.DaemonThread;

/**
 * Ends the job with the Slurm allocation that it runs in. Slurm signals batch scripts and the tasks of steps when an
 * allocation is cancelled or its time is over, but not what {@code salloc} runs, nor what came by ssh. So a step of one
 * task runs in the allocation as long as the job does: {@code cat}, which returns what it is sent. If it ends before it
 * is told to, the allocation has ended.
 */
final class AllocationWatch implements AutoCloseable
{
    private static final List<String> STEP = List.of(
        "--nodes=1", "--ntasks=1", "--job-name=tutti", "--chdir=/", "--mpi=none", "--unbuffered", "--quiet",
        // Takes nothing from the steps of the user, and does not wait for them.
        "--overlap", "--mem=0", "--immediate=60", "cat");
    /** Slurm's variables that identify the allocation; all others are options of srun. */
    private static final Set<String> KEPT =
        Set.of("SLURM_JOB_ID", "SLURM_CONF", "SLURM_CLUSTERS", "SLURM_WORKING_CLUSTER", "SLURM_JWT");
    private static final String GREETING = "tutti";
    private static final int SIGTERM = 15;
    private static final long END_TIMEOUT_MS = 1_000;

    private final SlurmAllocation allocation;
    private final BlockingQueue<JobEvent> events;
    private final Console console;
    private final boolean isQuiet;
    private final Process step;
    private final OutputStream input;
    private volatile boolean isClosing;

    private AllocationWatch(
        final SlurmAllocation allocation,
        final BlockingQueue<JobEvent> events,
        final Console console,
        final boolean isQuiet,
        final String srun)
        throws IOException
    {
        this.allocation = allocation;
        this.events = events;
        this.console = console;
        this.isQuiet = isQuiet;
        final List<String> command = new ArrayList<>(SpawnTools.rankPrefix(-1, false));
        command.add(srun);
        command.addAll(STEP);
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name ->
            (name.startsWith("SLURM_") || name.startsWith("SRUN_")) && !KEPT.contains(name));
        step = builder.start();
        input = step.getOutputStream();
    }

    /**
     * Starts to watch the allocation of this process, if there is one and Slurm does not end this process itself.
     * Returns at once. The calling thread must live as long as this process.
     *
     * @param allocation the allocation of this process, or null.
     * @param events     the queue of the job's events, which gets SIGTERM when the allocation ends.
     * @param console    the console for messages.
     * @param isQuiet    whether only the end of the allocation is reported.
     * @return the watch, or null when there is nothing to watch, or no way to do so.
     * @throws IOException if srun cannot be started.
     */
    static AllocationWatch start(
        final SlurmAllocation allocation,
        final BlockingQueue<JobEvent> events,
        final Console console,
        final boolean isQuiet)
        throws IOException
    {
        if (allocation == null || allocation.isEndedBySlurm())
        {
            return null;
        }
        final String srun = SpawnTools.find("srun");
        if (srun == null)
        {
            sayUnwatched(allocation, console, isQuiet, "srun is not on the PATH");
            return null;
        }
        final AllocationWatch watch = new AllocationWatch(allocation, events, console, isQuiet, srun);
        DaemonThread.of("tutti-allocation", watch::run).start();
        return watch;
    }

    private void run()
    {
        boolean isRunning = false;
        String lastLine = "";
        try (BufferedReader output = step.inputReader(StandardCharsets.UTF_8))
        {
            greet();
            for (String line = output.readLine(); line != null; line = output.readLine())
            {
                isRunning = isRunning || line.equals(GREETING);
                lastLine = line;
            }
        }
        catch (final IOException ex)
        {
            lastLine = ex.getMessage();
        }
        if (isClosing)
        {
            return;
        }
        if (isRunning)
        {
            console.say("tutti: Slurm job " + allocation.jobId() + " has ended: ending the ranks");
            events.add(new JobEvent.Signalled("TERM", SIGTERM));
        }
        else
        {
            sayUnwatched(allocation, console, isQuiet, lastLine);
        }
    }

    private void greet()
    {
        try
        {
            input.write((GREETING + "\n").getBytes(StandardCharsets.US_ASCII));
            input.flush();
        }
        catch (final IOException ex)
        {
            // srun has ended, and its output says why.
            return;
        }
    }

    private static void sayUnwatched(
        final SlurmAllocation allocation, final Console console, final boolean isQuiet, final String cause)
    {
        if (!isQuiet)
        {
            console.say("tutti: cannot tell when Slurm job " + allocation.jobId() + " ends (" + cause +
                "): scancel and its time limit do not end the ranks");
        }
    }

    /** Ends the step. */
    @Override
    public void close()
    {
        isClosing = true;
        try
        {
            input.close();
        }
        catch (final IOException ex)
        {
            // The step has ended before.
        }
        try
        {
            if (!step.waitFor(END_TIMEOUT_MS, TimeUnit.MILLISECONDS))
            {
                step.destroy();
            }
        }
        catch (final InterruptedException ex)
        {
            step.destroy();
            Thread.currentThread().interrupt();
        }
    }
}
