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
import org.tutti.launcher.host.SpawnTools;
import org.tutti.launcher.io.DaemonThread;

/**
 * A small shell that outlives the launcher or agent that started it, however that ends: a pipe connects the two, and
 * when the pipe ends the reaper kills the ranks' process groups and all processes with the job's directory in their
 * environment, grandchildren and daemons of the ranks included, and removes the directory. The normal end of a job
 * takes the same way. Until then the reaper sends signals on request: a shell can signal a process group, Java cannot
 * without native code.
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
     * become a rank does not yet have that in its environment: after a launcher that was killed, several scans are
     * made.
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

    /** Receives reports of a reaper that was killed or stopped. Called with its lock held: must not wait for it. */
    public interface Listener
    {
        /**
         * The reaper was killed while the job ran. Another took its place, to end the job.
         *
         * @param cause the cause in one line.
         */
        void onKilled(String cause);

        /**
         * The reaper was stopped, or killed after the job. It was killed, and another does its work.
         *
         * @param notice the notice in one line.
         */
        void onReplaced(String notice);
    }

    /** One process, which is the reaper until it is killed or stopped. */
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

        boolean tell(final String words)
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

        /** Waits for its end, which it begins when it has read all; not for a stopped one. */
        void awaitEnd()
        {
            try
            {
                pipe.close();
            }
            catch (final IOException ex)
            {
                // It was killed.
            }
            final long startNs = System.nanoTime();
            try
            {
                while (!process.waitFor(CHECK_INTERVAL_MS, TimeUnit.MILLISECONDS) && !isStopped() &&
                    System.nanoTime() - startNs < END_TIMEOUT_NS)
                {
                    // It still ends processes.
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
     * @param directory the directory that all processes of the job on this host have in their environment as
     *                  {@code TUTTI_JOB_DIR}; removed at the end, with its drafts; need not exist yet.
     * @param listener  the listener that is told when the reaper is killed or stopped.
     * @throws IOException if it cannot be started.
     */
    public Reaper(final String jobId, final Path directory, final Listener listener) throws IOException
    {
        this.listener = listener;
        final List<String> command = new ArrayList<>(SpawnTools.session());
        command.addAll(List.of("sh", "-c", SCRIPT, NAME, jobId, directory.toString()));
        builder = new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
        // A launcher that runs within another job is killed with that; its reaper must not be.
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
     * Notes that a rank was started.
     *
     * @param pid the process of the rank, which will lead a process group of its own.
     */
    synchronized void started(final long pid)
    {
        groups.add(pid);
        tell("started " + pid);
    }

    /**
     * Notes that a process was started that this one ends itself, unless it is killed.
     *
     * @param pid the process, which will lead a process group of its own.
     */
    public synchronized void tied(final long pid)
    {
        tied.add(pid);
        tell("tied " + pid);
    }

    /**
     * Ends what a rank that ended left in its process group, which may not be found by its environment.
     *
     * @param pid the process of the rank.
     */
    synchronized void ended(final long pid)
    {
        groups.remove(pid);
        ended.add(pid);
        tell("ended " + pid);
    }

    /**
     * Sends a signal to the process group of a rank, or to the rank alone while it has none yet.
     *
     * @param pid    the process of the rank, which has not been waited for.
     * @param signal the name of the signal without SIG.
     */
    public void signal(final long pid, final String signal)
    {
        if (!tell("signal " + pid + " " + signal))
        {
            // There is no reaper any more: what Java can do alone is to end the rank itself.
            ProcessHandle.of(pid).ifPresent(
                "KILL".equals(signal) ? ProcessHandle::destroyForcibly : ProcessHandle::destroy);
        }
    }

    /** Returns whether a reaper received it. */
    private synchronized boolean tell(final String words)
    {
        if (isClosing)
        {
            return false;
        }
        if (shell.isStopped())
        {
            replaceStopped();
        }
        if (shell.tell(words))
        {
            return true;
        }
        replaceKilled();
        return shell.tell(words);
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
        listener.onReplaced(stopped + " was stopped: it was killed, and " + successorOf(stopped) + " does its work");
    }

    private void replaceKilled()
    {
        final Shell killed = shell;
        replace();
        if (isClosing)
        {
            listener.onReplaced(killed + " was killed: " + successorOf(killed) + " does its work");
        }
        else
        {
            listener.onKilled(killed + " was killed, without which processes could outlive the job: run it again");
        }
    }

    private String successorOf(final Shell previous)
    {
        return shell == previous ? "no other process, as none could be started," : shell.toString();
    }

    /** Starts a successor and repeats all requests to it: the other may not have executed them. */
    private void replace()
    {
        shell.process.destroyForcibly();
        try
        {
            start();
        }
        catch (final IOException ex)
        {
            // The host refuses another process. The caller does what can be done without a reaper.
            return;
        }
        groups.forEach(pid -> shell.tell("started " + pid));
        tied.forEach(pid -> shell.tell("tied " + pid));
        // A pid that is in use again is not that rank's group any more.
        ended.stream().filter(pid -> ProcessHandle.of(pid).isEmpty()).forEach(pid -> shell.tell("ended " + pid));
    }

    /** Ends what is left of the job, removes its directory, and returns when that is done. */
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
            shell.tell("end");
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
