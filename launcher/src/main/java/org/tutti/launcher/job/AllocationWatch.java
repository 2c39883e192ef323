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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.tutti.launcher.host.SlurmAllocation;
import org.tutti.launcher.host.SpawnPrefix;
import org.tutti.launcher.host.SrunShell;
import org.tutti.launcher.io.Console;
import org.tutti.launcher.io.DaemonThread;

/**
 * Ends the job when its Slurm allocation ends. When an allocation is cancelled or reaches its time limit, Slurm signals
 * batch scripts and the tasks of steps, but not processes started by {@code salloc} or by ssh. Therefore a step of one
 * task, the echo process {@code cat}, runs in the allocation as long as the job does. If this step ends before the job,
 * the allocation has ended.
 */
final class AllocationWatch implements AutoCloseable
{
    private static final List<String> STEP = List.of("--job-name=tutti", "cat");
    private static final String GREETING = "tutti";
    /** States of a job whose processes may run: see squeue(1). */
    private static final Set<String> RUNNING_STATES =
        Set.of("RUNNING", "CONFIGURING", "RESIZING", "SIGNALING", "STOPPED", "SUSPENDED");
    private static final int SIGTERM = 15;
    private static final long END_TIMEOUT_MS = 1_000;

    private final SlurmAllocation allocation;
    private final Consumer<JobEvent.Signalled> onEnd;
    private final Console console;
    private final boolean isQuiet;
    private final Process step;
    private final OutputStream input;
    private volatile boolean isClosing;

    private AllocationWatch(
        final SlurmAllocation allocation,
        final Consumer<JobEvent.Signalled> onEnd,
        final Console console,
        final boolean isQuiet,
        final String srun)
        throws IOException
    {
        this.allocation = allocation;
        this.onEnd = onEnd;
        this.console = console;
        this.isQuiet = isQuiet;
        final List<String> command = new ArrayList<>(SpawnPrefix.rankPrefix(List.of(), false));
        command.addAll(SrunShell.oneTask(srun, STEP));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        SrunShell.removeOptions(builder.environment());
        step = builder.start();
        input = step.getOutputStream();
    }

    /**
     * Starts watching the allocation of this process, if there is one and Slurm does not end this process itself. Does
     * not block. The calling thread must live as long as this process.
     *
     * @param allocation the allocation of this process, or null.
     * @param onEnd      called with SIGTERM when the allocation ends.
     * @param console    the console for messages.
     * @param isQuiet    whether only the end of the allocation is reported.
     * @return the watch, or null if there is no allocation to watch, or srun is missing.
     * @throws IOException if srun cannot be started.
     */
    static AllocationWatch start(
        final SlurmAllocation allocation,
        final Consumer<JobEvent.Signalled> onEnd,
        final Console console,
        final boolean isQuiet)
        throws IOException
    {
        if (allocation == null || allocation.isEndedBySlurm())
        {
            return null;
        }
        final String srun = SpawnPrefix.find("srun");
        if (srun == null)
        {
            sayUnwatched(allocation, console, isQuiet, "srun is not on the PATH");
            return null;
        }
        final AllocationWatch watch = new AllocationWatch(allocation, onEnd, console, isQuiet, srun);
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
        final boolean hasEnded = isRunning || (!isClosing && hasEnded());
        if (isClosing)
        {
            return;
        }
        if (hasEnded)
        {
            console.say("tutti: Slurm job " + allocation.jobId() + " has ended: ending the ranks");
            onEnd.accept(new JobEvent.Signalled("TERM", SIGTERM));
        }
        else
        {
            sayUnwatched(allocation, console, isQuiet, lastLine);
        }
    }

    /** Asks Slurm why the step could not run: the allocation may have ended before the step began. */
    private boolean hasEnded()
    {
        final String squeue = SpawnPrefix.find("squeue");
        if (squeue == null)
        {
            return false;
        }
        try
        {
            final Process query = new ProcessBuilder(
                squeue, "--noheader", "--format=%T", "--jobs=" + allocation.jobId()).redirectErrorStream(true).start();
            final String answer =
                new String(query.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            // Lines may precede the state, such as warnings. Slurm forgets an ended job after some minutes.
            return query.waitFor() == 0 ?
                answer.lines().noneMatch(line -> RUNNING_STATES.contains(line.strip())) :
                answer.contains("Invalid job id");
        }
        catch (final IOException ex)
        {
            return false;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
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
            // srun has ended; its output contains the cause.
            return;
        }
    }

    private static void sayUnwatched(
        final SlurmAllocation allocation, final Console console, final boolean isQuiet, final String cause)
    {
        if (!isQuiet)
        {
            console.say("tutti: cannot watch Slurm job " + allocation.jobId() + " (" + cause +
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
            // The step has ended already.
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
