/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.tutti.bootstrap.JobDirectory;
import org.tutti.launcher.io.DaemonThread;
import org.tutti.launcher.io.LastLines;
import org.tutti.launcher.io.OutputPump;
import org.tutti.launcher.io.OutputSink;

/** One rank on this host: its process, and the threads that carry its output and wait for its end. */
public final class RankProcess
{
    /** What a rank wrote last arrives at once after its end, unless a process that it left behind holds its output. */
    private static final long OUTPUT_TIMEOUT_MS = 150;
    private static final String SHARED_MEMORY = "TUTTI_SHM_DIR";

    private final Reaper reaper;
    private final Listener listener;
    private final Process process;
    private final LastLines lastLines = new LastLines();
    private final List<OutputPump> pumps = new ArrayList<>();

    /** Receives reports of a rank, on threads of {@link RankProcess}. */
    public interface Listener
    {
        /**
         * The sink takes no more of the rank's output.
         *
         * @param cause the target, why writing failed and the fix, or empty when the target is not read any more.
         */
        void onOutputLost(String cause);

        /**
         * The process ended; called at once.
         *
         * @param pid  the process.
         * @param code the exit code, 128 + n when signal n ended it.
         */
        void onEnded(long pid, int code);

        /**
         * The output before the end has arrived; called some time after the end, unless the exit code is 0.
         *
         * @param lines the last lines, oldest first.
         */
        void onLastOutput(List<String> lines);
    }

    /**
     * Starts a rank. The calling thread must live as long as the rank may: the kernel kills the rank when it ends.
     *
     * @param rank        the rank's number in the job.
     * @param command     the program that it executes, and its arguments.
     * @param environment the variables added to those of this process.
     * @param directory   the directory that it works in; null for this process's own.
     * @param stdin       the stdin that it reads.
     * @param reaper      the reaper that is told of the rank's process group, and ends what the rank leaves in it.
     * @param sink        the sink that its output goes to.
     * @param listener    the listener that is told of its end.
     * @throws IOException if the operating system refuses; then, as after any other failure, there is no process.
     */
    public RankProcess(
        final int rank,
        final List<String> command,
        final Map<String, String> environment,
        final Path directory,
        final ProcessBuilder.Redirect stdin,
        final Reaper reaper,
        final OutputSink sink,
        final Listener listener)
        throws IOException
    {
        this.reaper = reaper;
        this.listener = listener;
        final ProcessBuilder builder = new ProcessBuilder(command).redirectInput(stdin);
        builder.directory(directory == null ? null : directory.toFile());
        final Map<String, String> variables = builder.environment();
        restoreLocale(variables);
        variables.remove(RankVariables.COORDINATOR);
        variables.putAll(environment);
        attachSharedMemory(variables, directory);
        process = builder.start();
        reaper.started(pid());
        pumps.add(new OutputPump(
            rank, false, process.getInputStream(), sink, lastLines, listener::onOutputLost));
        pumps.add(new OutputPump(
            rank, true, process.getErrorStream(), sink, lastLines, listener::onOutputLost));
        try
        {
            pumps.forEach(OutputPump::start);
            DaemonThread.of("tutti-rank-" + rank, this::awaitEnd).start();
        }
        catch (final Throwable ex)
        {
            // Without a thread the end of this process would not be noticed.
            process.destroyForcibly();
            throw ex;
        }
    }

    /**
     * The stdin of the rank, if it is a pipe.
     *
     * @return the stream that the rank reads.
     */
    public OutputStream stdin()
    {
        return process.getOutputStream();
    }

    /**
     * The process of the rank.
     *
     * @return its pid.
     */
    public long pid()
    {
        return process.pid();
    }

    /**
     * Whether the process still runs.
     *
     * @return false after its end.
     */
    public boolean isAlive()
    {
        return process.isAlive();
    }

    /**
     * Waits until all output of the rank, and of processes that it left behind, is passed on.
     *
     * @param timeoutMs the longest wait in milliseconds.
     * @param quietNs   the silence after which a stream counts as ended, in nanoseconds.
     * @return false when the time was up.
     * @throws InterruptedException if the thread is interrupted.
     */
    public boolean awaitOutput(final long timeoutMs, final long quietNs) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + timeoutMs * 1_000_000;
        for (final OutputPump pump : pumps)
        {
            if (!pump.await((deadlineNs - System.nanoTime()) / 1_000_000) && !pump.isQuietFor(quietNs))
            {
                return false;
            }
        }
        return true;
    }

    /** The script that starts launchers runs them in a locale whose characters they can read. */
    private static void restoreLocale(final Map<String, String> environment)
    {
        final String locale = environment.remove("TUTTI_LC_ALL");
        if (locale != null)
        {
            environment.remove("LC_ALL");
            if (!locale.isEmpty())
            {
                environment.put("LC_ALL", locale);
            }
        }
    }

    /** Gives the job a directory of its own in the one that the user named for shared memory; removed with the job. */
    private static void attachSharedMemory(final Map<String, String> environment, final Path directory)
    {
        final String chosen = environment.getOrDefault(SHARED_MEMORY, "");
        final String jobDirectory = environment.get("TUTTI_JOB_DIR");
        if (chosen.isEmpty() || jobDirectory == null)
        {
            return;
        }
        try
        {
            final Path parent = directory == null ? Path.of(chosen) : directory.resolve(chosen);
            environment.put(SHARED_MEMORY, JobDirectory.attach(
                Path.of(jobDirectory), environment.get("TUTTI_JOB_ID"), parent).toString());
        }
        catch (final IOException | InvalidPathException ex)
        {
            // A rank that needs the directory reports what is wrong with it.
            return;
        }
    }

    private void awaitEnd()
    {
        try
        {
            final int code = process.waitFor();
            reaper.ended(pid());
            listener.onEnded(pid(), code);
            if (code != 0)
            {
                awaitOutput(OUTPUT_TIMEOUT_MS, Long.MAX_VALUE);
                listener.onLastOutput(lastLines.lines());
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
