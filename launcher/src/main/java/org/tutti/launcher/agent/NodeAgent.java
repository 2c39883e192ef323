/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.ProcessState;
import org.tutti.launcher.host.Binding;
import org.tutti.launcher.host.CpuTopology;
import org.tutti.launcher.host.SpawnPrefix;
import org.tutti.launcher.io.OutputSink;
import org.tutti.launcher.io.UsageException;
import org.tutti.launcher.rank.RankProcess;
import org.tutti.launcher.rank.RankVariables;
import org.tutti.launcher.rank.RankWatch;
import org.tutti.launcher.rank.Reaper;

/**
 * Starts, watches and ends the ranks of one host, as the launcher requests over an {@link AgentLink}. A single thread
 * does all of this and lives until the agent is closed: the kernel kills a rank when the thread that started it ends.
 */
public final class NodeAgent implements AgentHandler, AutoCloseable
{
    private static final long QUIET_NS = 1_000_000_000;
    private static final long CHECK_INTERVAL_NS = 1_000_000_000;
    private static final long STOP_TIMEOUT_MS = 5_000;
    /** EAGAIN in Java's message: the only fork error that the user can fix. */
    private static final String NO_MORE_PROCESSES = "error=11,";

    /** Forwards reports of a rank to the launcher. */
    private record Report(AgentLink link, int rank) implements RankProcess.Listener
    {
        @Override
        public void onOutputLost(final String cause)
        {
            send(link, new AgentMessage.OutputLost(rank, cause));
        }

        @Override
        public void onEnded(final long pid, final int code)
        {
            send(link, new AgentMessage.Ended(rank, pid, code));
        }

        @Override
        public void onLastOutput(final List<String> lines)
        {
            send(link, new AgentMessage.LastOutput(rank, lines));
        }
    }

    private final Map<Integer, RankProcess> ranks = new ConcurrentHashMap<>();
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Reaper reaper;
    private final OutputSink sink;
    private final Path directory;
    private final boolean isLauncher;
    private final Thread thread = new Thread(this::work, "tutti-agent");
    /** The watches of running ranks; used, like {@link #checkedNs}, by the agent's thread only. */
    private final Map<Integer, RankWatch> watches = new HashMap<>();
    private AgentLink launcher;
    private long checkedNs = System.nanoTime();
    private RankInput input;
    private CpuTopology topology;

    /**
     * Creates an agent that is not yet connected to its launcher.
     *
     * @param reaper     the reaper, which ends the ranks when this process ends; owned by the caller.
     * @param sink       the sink of the ranks' output; owned by the caller.
     * @param directory  the working directory of the ranks; null for that of this process.
     * @param isLauncher whether this process is the launcher, so that a rank may inherit its stdin; otherwise input
     *                   arrives over the link.
     */
    public NodeAgent(final Reaper reaper, final OutputSink sink, final Path directory, final boolean isLauncher)
    {
        this.reaper = reaper;
        this.sink = sink;
        this.directory = directory;
        this.isLauncher = isLauncher;
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void onMessage(final AgentLink link, final AgentMessage message)
    {
        tasks.add(() -> handle(link, message));
    }

    @Override
    public void onLost(final AgentLink link, final String cause)
    {
        tasks.add(() -> ranks.keySet().forEach(rank -> signal(rank, "KILL")));
    }

    /**
     * Waits until all output is written, however slow its reader is, unless a process that could not be ended holds a
     * stream open and is silent. The caller first waits until all ranks, and the processes that they left behind, have
     * ended.
     *
     * @param timeoutMs the longest wait in milliseconds.
     * @param sinceNs   the time when the last of these processes ended, by {@link System#nanoTime()}.
     * @return false if the timeout expired.
     * @throws InterruptedException if the thread is interrupted.
     */
    public boolean awaitOutput(final long timeoutMs, final long sinceNs) throws InterruptedException
    {
        for (final RankProcess rank : ranks.values())
        {
            final boolean isOver = System.nanoTime() - sinceNs >= QUIET_NS;
            if (!rank.awaitOutput(timeoutMs, isOver ? QUIET_NS : Long.MAX_VALUE))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Stops starting ranks. On return, the reaper knows all ranks that were started, unless the start of a rank hangs
     * in the operating system for seconds.
     *
     * @throws InterruptedException if the thread is interrupted.
     */
    public void stopStarting() throws InterruptedException
    {
        tasks.clear();
        final CountDownLatch isIdle = new CountDownLatch(1);
        tasks.add(isIdle::countDown);
        isIdle.await(STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    /** Ends the agent's thread, and thereby the ranks that still run. Idempotent. */
    @Override
    public void close()
    {
        thread.interrupt();
    }

    private void work()
    {
        while (true)
        {
            try
            {
                final Runnable task = tasks.poll(
                    Math.max(0, CHECK_INTERVAL_NS - (System.nanoTime() - checkedNs)), TimeUnit.NANOSECONDS);
                if (task != null)
                {
                    task.run();
                }
                if (System.nanoTime() - checkedNs >= CHECK_INTERVAL_NS)
                {
                    checkedNs = System.nanoTime();
                    checkProcesses();
                }
            }
            catch (final InterruptedException ex)
            {
                return;
            }
            catch (final Throwable ex)
            {
                // The ranks die with this thread, so it reports the failure and continues.
                thread.getUncaughtExceptionHandler().uncaughtException(thread, ex);
            }
        }
    }

    /** Checks the processes of the ranks, and reports changes to the launcher. */
    private void checkProcesses()
    {
        watches.keySet().removeIf(rank -> !ranks.get(rank).isAlive());
        watches.forEach((rank, watch) ->
        {
            final ProcessState state = watch.look();
            if (state != null)
            {
                send(launcher, new AgentMessage.State(rank, watch.pid(), state));
            }
        });
    }

    private void examine(final AgentMessage.Watch watch)
    {
        final RankWatch watched = watches.get(watch.rank());
        if (watched != null)
        {
            watched.examine(watch.pid());
        }
    }

    private void handle(final AgentLink link, final AgentMessage message)
    {
        switch (message)
        {
            case AgentMessage.Start start -> start(link, start);
            case AgentMessage.Watch watch -> examine(watch);
            case AgentMessage.Signal signal -> signal(signal.rank(), signal.signal());
            case AgentMessage.Input part ->
            {
                if (input != null)
                {
                    input.add(part.bytes());
                }
            }
            default -> throw new IllegalArgumentException("unexpected message to an agent: " + message);
        }
    }

    private void start(final AgentLink link, final AgentMessage.Start start)
    {
        try
        {
            final List<Integer> cpus = cpus(start);
            if (start.binding().isReported())
            {
                send(link, new AgentMessage.Bound(start.rank(), description(start.binding(), cpus)));
            }
            final RankProcess rank = new RankProcess(
                start.rank(),
                command(start, cpus),
                start.environment(),
                directory,
                stdin(start),
                reaper,
                sink,
                new Report(link, start.rank()));
            ranks.put(start.rank(), rank);
            launcher = link;
            watches.put(start.rank(), new RankWatch(rank.pid()));
            if (start.readsInput() && !isLauncher)
            {
                input = new RankInput(
                    rank.stdin(), length -> send(link, new AgentMessage.InputPassed(length))).start();
            }
            send(link, new AgentMessage.Started(start.rank(), rank.pid()));
        }
        catch (final Throwable ex)
        {
            // Includes errors, such as failing to create a thread: the job waits for a report on this rank.
            send(link, new AgentMessage.NotStarted(start.rank(), cause(ex)));
        }
    }

    /** Returns the CPUs of a rank; empty if they are neither limited nor reported. */
    private List<Integer> cpus(final AgentMessage.Start start)
    {
        final Binding binding = start.binding();
        if (binding.unit() != Binding.Unit.NONE)
        {
            SpawnPrefix.requireBinding();
        }
        else if (!binding.isReported())
        {
            return List.of();
        }
        if (topology == null)
        {
            topology = CpuTopology.ofThisProcess();
        }
        return topology.cpusOf(binding.unit(), start.localRank(), RankVariables.localSize(start.environment()));
    }

    private String description(final Binding binding, final List<Integer> cpus)
    {
        return (binding.unit() == Binding.Unit.NONE ? "not bound, " : "bound to ") + topology.describe(cpus);
    }

    private List<String> command(final AgentMessage.Start start, final List<Integer> cpus)
    {
        final boolean isBound = start.binding().unit() != Binding.Unit.NONE;
        final List<String> command = new ArrayList<>(SpawnPrefix.rankPrefix(
            isBound ? cpus : List.of(), RankVariables.sharesCores(start.environment())));
        command.addAll(start.program().command(directory, start.environment()));
        return command;
    }

    private ProcessBuilder.Redirect stdin(final AgentMessage.Start start)
    {
        if (!start.readsInput())
        {
            return ProcessBuilder.Redirect.from(new File("/dev/null"));
        }
        return isLauncher ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.PIPE;
    }

    private static String cause(final Throwable failure)
    {
        final boolean isForPeople =
            failure instanceof UsageException || (failure instanceof IOException && failure.getMessage() != null);
        final String text = isForPeople ? failure.getMessage() : failure.toString();
        final boolean isLimit = failure instanceof OutOfMemoryError || text.contains(NO_MORE_PROCESSES);
        return isLimit ? text + ": raise ulimit -u, or pids.max of the control group" : text;
    }

    private void signal(final int rank, final String signal)
    {
        final RankProcess process = ranks.get(rank);
        if (process != null && process.isAlive())
        {
            reaper.signal(process.pid(), signal);
        }
    }

    private static void send(final AgentLink link, final AgentMessage message)
    {
        try
        {
            link.send(message);
        }
        catch (final BootstrapException ex)
        {
            // The link is lost, and onLost ends the ranks.
            return;
        }
    }
}
