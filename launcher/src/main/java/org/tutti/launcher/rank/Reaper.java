/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.ProcessIdentity;
import org.tutti.launcher.host.SpawnPrefix;
import org.tutti.launcher.io.DaemonThread;

/**
 * Cleans up after a job: a small shell that outlives the launcher or agent that started it, however that ends. When the
 * pipe between the two closes, the reaper kills the ranks' process groups and all processes with the job's directory in
 * their environment, including grandchildren and daemons of the ranks, and removes the directory. A job that ends
 * normally is cleaned up in the same way. While the job runs, the reaper sends signals on request: a shell can signal a
 * process group, Java cannot without native code.
 */
public final class Reaper implements AutoCloseable
{
    private static final String NAME = "tutti-reaper";
    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int END_ATTEMPTS = 3;
    private static final long CHECK_INTERVAL_MS = 20;
    private static final long WATCH_INTERVAL_MS = 1_000;

    /**
     * The first argument is the job's id, shown by ps, the second the job's directory. A process that is about to
     * become a rank does not yet have the directory in its environment, so several scans are made if the launcher was
     * killed.
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
                    case $groups in
                        *" $pid "*) groups="${groups%%" $pid "*} ${groups#*" $pid "}" ;;
                    esac
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
        attached=$(readlink -- "$2/attached")
        case $attached in
            */tutti-*) rm -rf -- "$attached" ;;
        esac
        rm -rf -- "$2" "$2".*.new
        exit 0
        """;

    private final ProcessBuilder builder;
    private final Listener listener;
    private final Set<Long> groups = new LinkedHashSet<>();
    private final Set<Long> tied = new LinkedHashSet<>();
    private final Set<Long> ended = new LinkedHashSet<>();
    private Shell shell;
    private boolean isClosing;

    /**
     * Receives reports of a reaper that was killed or stopped. Called with the reaper's lock held: must not wait for
     * the reaper.
     */
    public interface Listener
    {
        /**
         * Called when the reaper was killed while the job ran. A new one has replaced it, to end the job.
         *
         * @param cause the cause in one line.
         */
        void onKilled(String cause);

        /**
         * Called when the reaper was stopped, or was killed after the job. The old process was killed, and a new one
         * replaces it.
         *
         * @param notice the notice in one line.
         */
        void onReplaced(String notice);
    }

    /** A process that acts as the reaper until it is killed or stopped. */
    private static final class Shell
    {
        private final Process process;
        private final ProcessIdentity identity;
        private final OutputStream pipe;

        Shell(final Process process)
        {
            this.process = process;
            identity = ProcessIdentity.of(process.pid());
            pipe = process.getOutputStream();
        }

        boolean isStopped()
        {
            return identity.isStopped();
        }

        boolean write(final String words)
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

        /** Closes the pipe and waits for the end of the process, unless it is stopped. */
        void awaitEnd()
        {
            try
            {
                pipe.close();
            }
            catch (final IOException ex)
            {
                // The process was killed.
            }
            final long startNs = System.nanoTime();
            try
            {
                while (!process.waitFor(CHECK_INTERVAL_MS, TimeUnit.MILLISECONDS) && !isStopped() &&
                    System.nanoTime() - startNs < END_TIMEOUT_NS)
                {
                    // The reaper still ends processes.
                }
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }

        boolean isKilled()
        {
            return !process.isAlive() && process.exitValue() != 0;
        }

        @Override
        public String toString()
        {
            return NAME + " (pid " + process.pid() + ")";
        }
    }

    /**
     * Starts the reaper of a job.
     *
     * @param jobId     the id of the job.
     * @param directory the job's directory, which all its processes on this host have in their environment as {@code
     *                  TUTTI_JOB_DIR}; removed at the end, with its temporary copies; need not exist yet.
     * @param listener  the listener for the reaper being killed or stopped.
     * @throws IOException if the reaper cannot be started.
     */
    public Reaper(final String jobId, final Path directory, final Listener listener) throws IOException
    {
        this.listener = listener;
        final List<String> command = new ArrayList<>(SpawnPrefix.session());
        command.addAll(List.of("sh", "-c", SCRIPT, NAME, jobId, directory.toString()));
        builder = new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
        // A launcher within another job is killed with that job; its reaper must not be.
        builder.environment().remove("TUTTI_JOB_DIR");
        start();
    }

    private void start() throws IOException
    {
        final Shell started = new Shell(builder.start());
        shell = started;
        DaemonThread.of("tutti-reaper", () -> watch(started)).start();
    }

    /**
     * Records the start of a rank.
     *
     * @param pid the pid of the rank, which will lead its own process group.
     */
    synchronized void started(final long pid)
    {
        groups.add(pid);
        request("started " + pid);
    }

    /**
     * Records the start of a process that this process normally ends itself: the reaper ends it only if this process is
     * killed.
     *
     * @param pid the pid of the process, which will lead its own process group.
     */
    public synchronized void tied(final long pid)
    {
        tied.add(pid);
        request("tied " + pid);
    }

    /**
     * Ends the processes that an ended rank left in its process group: the search by environment may not find them.
     *
     * @param pid the pid of the rank.
     */
    synchronized void ended(final long pid)
    {
        groups.remove(pid);
        ended.add(pid);
        request("ended " + pid);
    }

    /**
     * Sends a signal to the process group of a rank, or to the rank alone while it has no group yet.
     *
     * @param pid    the pid of the rank, which has not been waited for.
     * @param signal the name of the signal without SIG.
     */
    public void signal(final long pid, final String signal)
    {
        if (!request("signal " + pid + " " + signal))
        {
            // Without a reaper, Java can only end the rank itself.
            ProcessHandle.of(pid).ifPresent(
                "KILL".equals(signal) ? ProcessHandle::destroyForcibly : ProcessHandle::destroy);
        }
    }

    /** Sends a request; returns whether a reaper received it. */
    private synchronized boolean request(final String words)
    {
        if (isClosing)
        {
            return false;
        }
        if (shell.isStopped())
        {
            replaceStopped();
        }
        if (shell.write(words))
        {
            return true;
        }
        replaceKilled();
        return shell.write(words);
    }

    private void watch(final Shell watched)
    {
        try
        {
            boolean isOver = false;
            while (!isOver)
            {
                final boolean hasEnded = watched.process.waitFor(WATCH_INTERVAL_MS, TimeUnit.MILLISECONDS);
                synchronized (this)
                {
                    isOver = hasEnded || isClosing || shell != watched;
                    if (isClosing || shell != watched)
                    {
                        continue;
                    }
                    if (hasEnded)
                    {
                        replaceKilled();
                    }
                    else if (watched.isStopped())
                    {
                        replaceStopped();
                    }
                }
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void replaceStopped()
    {
        final Shell stopped = shell;
        replace();
        listener.onReplaced(stopped + " was stopped: it was killed" + replacementOf(stopped));
    }

    private void replaceKilled()
    {
        final Shell killed = shell;
        replace();
        if (isClosing)
        {
            listener.onReplaced(killed + " was killed" + replacementOf(killed));
        }
        else
        {
            listener.onKilled(killed + " was killed, without it processes could outlive the job: run the job again");
        }
    }

    private String replacementOf(final Shell previous)
    {
        return shell == previous ? ", and no new one could be started" : " and replaced by " + shell;
    }

    /**
     * Starts a new reaper and repeats to it which processes started and ended, as the old one may not have executed
     * these requests.
     */
    private void replace()
    {
        shell.process.destroyForcibly();
        try
        {
            start();
        }
        catch (final IOException ex)
        {
            // The host cannot start another process: the caller continues without a reaper.
            return;
        }
        groups.forEach(pid -> shell.write("started " + pid));
        tied.forEach(pid -> shell.write("tied " + pid));
        // A pid that is in use again no longer denotes that rank's group.
        ended.stream().filter(pid -> ProcessHandle.of(pid).isEmpty()).forEach(pid -> shell.write("ended " + pid));
    }

    /** Ends the remaining processes of the job, removes its directory, and returns when that is done. */
    @Override
    public synchronized void close()
    {
        if (isClosing)
        {
            return;
        }
        isClosing = true;
        for (int attempt = 0; attempt < END_ATTEMPTS; attempt++)
        {
            shell.write("end");
            shell.awaitEnd();
            if (shell.isStopped())
            {
                replaceStopped();
            }
            else if (shell.isKilled())
            {
                replaceKilled();
            }
            else
            {
                return;
            }
        }
    }
}
