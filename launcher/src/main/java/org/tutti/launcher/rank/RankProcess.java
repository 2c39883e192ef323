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

/** A rank on this host: its process, and the threads that copy its output and wait for its end. */
public final class RankProcess
{
    /**
     * The last output of a rank arrives within this time after its end, unless a process that it left behind holds its
     * streams open.
     */
    private static final long OUTPUT_TIMEOUT_MS = 150;
    private static final String SHARED_MEMORY = "TUTTI_SHM_DIR";

    private final Reaper reaper;
    private final Listener listener;
    private final Process process;
    private final LastLines lastLines = new LastLines();
    private final List<OutputPump> pumps = new ArrayList<>();

    /** Receives reports of a rank, on the threads of {@link RankProcess}. */
    public interface Listener
    {
        /**
         * Called when the sink rejects the rank's output.
         *
         * @param cause the target, the error and the fix, or empty if the target's reader has closed it.
         */
        void onOutputLost(String cause);

        /**
         * Called immediately when the process has ended.
         *
         * @param pid  the pid of the process.
         * @param code the exit code, 128 + n if signal n killed the process.
         */
        void onEnded(long pid, int code);

        /**
         * Called with the last lines of output, some time after the process has ended, unless the exit code is 0.
         *
         * @param lines the last lines, oldest first.
         */
        void onLastOutput(List<String> lines);
    }

    /**
     * Starts a rank. The calling thread must outlive the rank: the kernel kills the rank when that thread ends.
     *
     * @param rank        the rank's number in the job.
     * @param command     the program and its arguments.
     * @param environment the variables to add to this process's environment.
     * @param directory   the working directory of the rank; null for that of this process.
     * @param stdin       the stdin of the rank.
     * @param reaper      the reaper, which tracks the rank's process group and ends what the rank leaves in it.
     * @param sink        the sink of the rank's output.
     * @param listener    the listener for the rank's end.
     * @throws IOException if the process cannot be started; after any exception there is no process.
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
            // Without the thread, the end of the process would go unnoticed.
            process.destroyForcibly();
            throw ex;
        }
    }

    /**
     * Returns the stdin of the rank, if it is a pipe.
     *
     * @return the stream to the rank's stdin.
     */
    public OutputStream stdin()
    {
        return process.getOutputStream();
    }

    /**
     * Returns the process of the rank.
     *
     * @return the pid.
     */
    public long pid()
    {
        return process.pid();
    }

    /**
     * Returns whether the process still runs.
     *
     * @return false after the end of the process.
     */
    public boolean isAlive()
    {
        return process.isAlive();
    }

    /**
     * Waits until all output of the rank, and of processes that it left behind, is written.
     *
     * @param timeoutMs the longest wait in milliseconds.
     * @param quietNs   the silence after which a stream is considered ended, in nanoseconds.
     * @return false if the timeout expired.
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

    /** Restores the user's locale, which the start script replaces by a UTF-8 locale for the launcher. */
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

    /** Creates the job's own directory within the user's directory for shared memory; removed with the job. */
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
            // A rank that needs the directory reports the error.
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
