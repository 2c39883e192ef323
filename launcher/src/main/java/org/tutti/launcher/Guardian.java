/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A small shell that outlives the launcher or agent, however it dies: a pipe ties the two, and when the pipe ends the
 * guardian kills the ranks' process groups and whatever carries the job's directory in its environment, grandchildren
 * and daemons of the ranks too, and removes the directory. The normal end of a job takes the same way. As long as its
 * starter lives, the guardian sends signals for it: to signal a process group is one word for a shell, and needs native
 * code in Java.
 */
final class Guardian implements AutoCloseable
{
    private static final long END_TIMEOUT_MS = 5_000;

    /**
     * Its first argument is the job's id, for people, the second the job's directory. A process that is about to become
     * a rank does not yet carry that: after a launcher that died without a word, several scans are made.
     */
    private static final String SCRIPT = """
        trap '' HUP INT QUIT TERM PIPE
        scans=3
        groups=' '
        tied=
        while read -r verb pid signal
        do
            case $verb in
                started) groups="$groups$pid " ;;
                tied) tied="$tied$pid " ;;
                ended)
                    kill -s KILL -- "-$pid"
                    groups="${groups%%" $pid "*} ${groups#*" $pid "}"
                    ;;
                signal) kill -s "$signal" -- "-$pid" || kill -s "$signal" "$pid" ;;
                end)
                    scans=1
                    tied=
                    ;;
            esac
        done
        for pid in $groups $tied
        do
            kill -s KILL -- "-$pid"
        done
        tries=0
        while [ $scans -gt 0 ] && [ $tries -lt 200 ]
        do
            pids=$(grep -lszxF "TUTTI_JOB_DIR=$2" /proc/[0-9]*/environ | sed 's:[^0-9]::g')
            if [ -n "$pids" ]
            then
                kill -s KILL $pids
                sleep 0.01
            else
                scans=$((scans - 1))
                [ $scans -eq 0 ] || sleep 0.03
            fi
            tries=$((tries + 1))
        done
        rm -rf -- "$2" "$2".*.new
        """;

    private final Process process;
    private final OutputStream pipe;

    /**
     * Starts the guardian of a job.
     *
     * @param jobId     of the job.
     * @param directory that all processes of the job on this host carry in their environment as {@code TUTTI_JOB_DIR};
     *                  removed at the end, and the drafts of it; need not be there yet.
     * @throws IOException if it cannot be started.
     */
    Guardian(final String jobId, final Path directory) throws IOException
    {
        final List<String> command = new ArrayList<>(SpawnTools.session());
        command.addAll(List.of("sh", "-c", SCRIPT, "tutti-guardian", jobId, directory.toString()));
        final ProcessBuilder builder = new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
        // A launcher that runs within another job is killed with that; its guardian must not be.
        builder.environment().remove("TUTTI_JOB_DIR");
        process = builder.start();
        pipe = process.getOutputStream();
    }

    /**
     * Notes that a rank was started.
     *
     * @param pid of the rank, which will lead a process group of its own.
     */
    void started(final long pid)
    {
        tell("started " + pid);
    }

    /**
     * Notes that a process was started that this one ends itself, unless it dies without a word.
     *
     * @param pid of the process, which will lead a process group of its own.
     */
    void tied(final long pid)
    {
        tell("tied " + pid);
    }

    /**
     * Ends what a rank that ended left in its process group: that may have no environment to be found by.
     *
     * @param pid of the rank.
     */
    void ended(final long pid)
    {
        tell("ended " + pid);
    }

    /**
     * Sends a signal to the process group of a rank, or to the rank alone while it has none yet.
     *
     * @param pid    of the rank, which has not been reaped.
     * @param signal its name without SIG.
     */
    void signal(final long pid, final String signal)
    {
        if (!tell("signal " + pid + " " + signal))
        {
            // Somebody killed the guardian: what Java can do alone is to end the rank itself.
            ProcessHandle.of(pid).ifPresent(
                "KILL".equals(signal) ? ProcessHandle::destroyForcibly : ProcessHandle::destroy);
        }
    }

    private synchronized boolean tell(final String words)
    {
        try
        {
            pipe.write((words + "\n").getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
            return true;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    /** Ends what is left of the job, removes its directory, and returns when that is done. */
    @Override
    public void close()
    {
        tell("end");
        try
        {
            pipe.close();
        }
        catch (final IOException ex)
        {
            // It is gone already, which is all that was asked.
        }
        try
        {
            process.waitFor(END_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
