/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.HostPort;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.OpenFileLimit;
import org.tutti.bootstrap.ProcessState;
import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.store.DurationFormat;

/**
 * The coordinator, on one thread, which also runs the media driver. The thread idles if there is no work; commands of
 * other threads wake it.
 */
public final class AeronCoordinator implements Coordinator
{
    private static final long DRAIN_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(200);
    /** How long to keep invoking the driver before it is closed: it sends the last messages only when invoked. */
    private static final long SENDING_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long CLOSE_TIMEOUT_MS = 10_000;
    private static final long EXIT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    /** Number of files that the coordinator opens: selectors, its UDP socket, and buffers while they are mapped. */
    private static final int FILES = 12;

    private final CoordinatorContext context;
    private final MediaClient media;
    private final JobService service;
    private final int port;
    private final Queue<Consumer<JobService>> commands = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile RankFailure failure;
    private volatile boolean isClosing;
    /** Whether the closing thread was interrupted, and therefore waits for no rank. */
    private volatile boolean isInterrupted;
    /** The time from which {@link #isClosing} is set; written before it. */
    private long closingNs;
    private volatile Throwable lastError;

    private AeronCoordinator(final CoordinatorContext context)
    {
        this.context = context;
        final boolean isRemote = context.endpoint() != null;
        // Each member that is reached by UDP needs a socket.
        OpenFileLimit.require("the coordinator of job '" + context.jobId() + "' with " + context.size() + " ranks",
            FILES + (isRemote ? context.size() : 0));
        media = MediaClient.embed(context.aeronDirectory(), Admission.capacity(context),
            isRemote ? new SessionCookie(new JobSecret(context.secret())) : null, this::onError);
        try
        {
            service = new JobService(this, context, media);
            port = isRemote ? service.port() : 0;
        }
        catch (final RuntimeException ex)
        {
            media.close();
            throw new BootstrapException("the coordinator cannot listen at " + context.endpoint() + ": " +
                reason(ex.getMessage()) + (context.rank() < 0 ? "; give another address or a free UDP port, or port 0" :
                "; MASTER_ADDR must be an address of this host, and MASTER_PORT a free UDP port: set both to the " +
                "same values on all ranks"), ex);
        }
        thread = new Thread(this::run, "tutti-coordinator");
        thread.setDaemon(true);
        try
        {
            thread.start();
        }
        catch (final Error ex)
        {
            // The host has no room for another thread.
            media.close();
            throw ex;
        }
    }

    /**
     * Starts the media driver and the coordinator.
     *
     * @param context the context of the job; concluded by this call.
     * @return the coordinator, to be closed.
     */
    public static AeronCoordinator start(final CoordinatorContext context)
    {
        return new AeronCoordinator(context.conclude());
    }

    @Override
    public int size()
    {
        return context.size();
    }

    @Override
    public String jobName()
    {
        return context.jobId();
    }

    @Override
    public String secret()
    {
        return new String(context.secret(), StandardCharsets.UTF_8);
    }

    @Override
    public String address()
    {
        final String endpoint = context.endpoint();
        return endpoint == null ? null : HostPort.parse(endpoint).withPort(port).toString();
    }

    @Override
    public String addressReason()
    {
        return context.endpointReason();
    }

    @Override
    public int port()
    {
        return port;
    }

    @Override
    public RankFailure rankFailed(final RankFailure rankFailure)
    {
        final CountDownLatch isSettled = new CountDownLatch(1);
        raise(rankFailure, isSettled);
        final boolean mayWait = thread.isAlive() && Thread.currentThread() != thread;
        return mayWait && await(isSettled) && failure != null ? failure : rankFailure;
    }

    /** Raises a failure on the coordinator's thread, which then counts the latch down. */
    private void raise(final RankFailure rankFailure, final CountDownLatch isSettled)
    {
        execute(
            (jobService) ->
            {
                try
                {
                    // A rank that aborted the job before it exited has sent the reason.
                    jobService.receiveAll();
                    onFailure(rankFailure);
                }
                finally
                {
                    isSettled.countDown();
                }
            });
    }

    @Override
    public RankFailure rankExited(final int rank)
    {
        final CountDownLatch isSettled = new CountDownLatch(1);
        execute(
            (jobService) ->
            {
                try
                {
                    final RankFailure rankFailure = jobService.onExit(rank);
                    if (rankFailure != null)
                    {
                        onFailure(rankFailure);
                    }
                }
                finally
                {
                    isSettled.countDown();
                }
            });
        if (!await(isSettled))
        {
            return new RankFailure(rank, Hosts.local(), 0, "exited with code 0, and the coordinator did not " +
                "determine within " + DurationFormat.format(EXIT_TIMEOUT_NS) + " whether it had left the job");
        }
        return failure;
    }

    /** Waits for the thread that counts a latch down; returns false if that thread is too slow or has ended. */
    private static boolean await(final CountDownLatch latch)
    {
        try
        {
            return latch.await(EXIT_TIMEOUT_NS, TimeUnit.NANOSECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void abort(final String cause)
    {
        raise(
            new RankFailure(-1, Hosts.local(), ProcessHandle.current().pid(), cause), new CountDownLatch(1));
    }

    @Override
    public void processState(final int rank, final long pid, final ProcessState state)
    {
        execute((jobService) -> jobService.onProcessState(rank, pid, state));
    }

    @Override
    public RankFailure failure()
    {
        return failure;
    }

    @Override
    public void close()
    {
        if (!isClosing)
        {
            closingNs = System.nanoTime();
            isClosing = true;
        }
        LockSupport.unpark(thread);
        if (Thread.currentThread() == thread)
        {
            return;
        }
        boolean wasInterrupted = false;
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_TIMEOUT_MS);
        while (thread.isAlive() && System.nanoTime() - deadlineNs < 0)
        {
            try
            {
                thread.join(CLOSE_TIMEOUT_MS);
            }
            catch (final InterruptedException ex)
            {
                wasInterrupted = true;
                isInterrupted = true;
                LockSupport.unpark(thread);
            }
        }
        if (wasInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    void execute(final Consumer<JobService> command)
    {
        commands.add(command);
        LockSupport.unpark(thread);
    }

    /** Extracts the operating system's error from the driver's message, if possible. */
    private static String reason(final String message)
    {
        final String before = "channel error - ";
        final int start = message == null ? -1 : message.indexOf(before);
        final int end = start < 0 ? -1 : message.indexOf(" (at ", start);
        return end < 0 ? message : message.substring(start + before.length(), end);
    }

    /** Broadcasts the first failure. Called on the coordinator's thread. */
    void onFailure(final RankFailure rankFailure)
    {
        if (failure == null)
        {
            failure = rankFailure;
            try
            {
                service.broadcast(rankFailure);
            }
            finally
            {
                context.listener().onFailure(rankFailure);
            }
        }
    }

    /** Ends the job with an error, so that ranks do not hang. Called on the coordinator's thread. */
    void onInternalError(final Throwable error)
    {
        onFailure(new RankFailure(
            -1, Hosts.local(), ProcessHandle.current().pid(), "internal error of the coordinator: " + error));
    }

    /**
     * Records an error. Most of Aeron's errors are invalid packets of unknown senders; only one that closes the client
     * is fatal.
     */
    private void onError(final Throwable error)
    {
        lastError = error;
    }

    private void run()
    {
        final CoordinatorIdleStrategy idleStrategy = new CoordinatorIdleStrategy();
        while (!isEnd() && !media.isClosed())
        {
            try
            {
                final int work = runCommands() + service.doWork();
                idleStrategy.idle(work, service.hasWaits());
            }
            catch (final RuntimeException | Error ex)
            {
                reportInternalError(ex);
            }
        }
        if (!isClosing)
        {
            reportInternalError(lastError);
        }
        try
        {
            announceEnd();
        }
        finally
        {
            media.close();
            OwnedResources.close(new ArrayDeque<>(List.of(context.owned())));
        }
    }

    /** Returns whether to end: after close, once the ranks have left, the job has failed, or the wait is too long. */
    private boolean isEnd()
    {
        return isClosing && (isInterrupted || failure != null || !service.hasJoinedMembers() ||
            System.nanoTime() - closingNs >= context.leaveTimeoutNs());
    }

    /** Reports an error; the thread continues even if members cannot be notified, for example for lack of memory. */
    private void reportInternalError(final Throwable error)
    {
        try
        {
            onInternalError(error);
        }
        catch (final RuntimeException | Error ex)
        {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, ex);
        }
    }

    private int runCommands()
    {
        int count = 0;
        for (Consumer<JobService> command = commands.poll(); command != null; command = commands.poll())
        {
            command.accept(service);
            count++;
        }
        return count;
    }

    private void announceEnd()
    {
        runCommands();
        if (service.hasJoinedMembers() && failure == null)
        {
            service.broadcast(
                new RankFailure(-1, Hosts.local(), ProcessHandle.current().pid(), "the coordinator was closed"));
        }
        final long startNs = System.nanoTime();
        // The last member may be waiting for the reply to its leave.
        final long leastNs = service.hasJoinedMembers() || context.leaveTimeoutNs() > 0 ? SENDING_NS : 0;
        long elapsedNs = 0;
        while (elapsedNs < leastNs || (!service.isDrained() && elapsedNs < DRAIN_TIMEOUT_NS))
        {
            media.invoke();
            LockSupport.parkNanos(100_000);
            elapsedNs = System.nanoTime() - startNs;
        }
    }
}
