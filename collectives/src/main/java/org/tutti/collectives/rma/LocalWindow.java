/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.endpoint.Creation;
import org.tutti.collectives.progress.OpenWindow;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.progress.SetupCollective;
import org.tutti.collectives.util.Backoff;
import org.tutti.collectives.util.Failures;
import org.tutti.collectives.util.ResourceScope;
import org.tutti.collectives.wireup.PooledDataBuffer;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.AsyncEvent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * One rank's part of a window: the descriptors of all ranks' memory, the paths to them, and the state (open, failed or
 * closed). Thread-safe; allocates nothing except when it connects to a rank.
 */
final class LocalWindow implements OpenWindow
{
    private static final byte[] NOTHING = {};
    private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final Session session;
    private final Team team;
    private final Bootstrap bootstrap;
    private final long number;
    private final PooledDataBuffer memory;
    private final Signals signals;
    private final List<WindowDescriptor> descriptors;
    private final WindowErrors errors;
    private final CloseMarkers closeMarkers;
    private final IncomingSignals incoming;
    private final AtomicReferenceArray<WindowPath> paths;
    private final ResourceScope resources = new ResourceScope();
    private final List<Exception> problems = new ArrayList<>();
    private final WindowAcceptor acceptor;
    private final Backoff backoff;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;
    private volatile boolean freed;
    /** The number of threads between {@link #enter} and {@link #exit}. */
    private final AtomicInteger users = new AtomicInteger();
    private volatile String closingThread;
    private final AtomicReference<CollectiveException> failure = new AtomicReference<>();

    /**
     * Creates the local part of a new window.
     *
     * @param session   session of its communicator.
     * @param bootstrap bootstrap of the window.
     * @param number    number of the call that created the window.
     * @param memory    memory of this rank.
     * @param signals   signals from other ranks to this rank, owned by the window.
     * @param descriptors    descriptors of all ranks.
     */
    LocalWindow(
        final Session session, final Bootstrap bootstrap, final long number, final PooledDataBuffer memory,
        final Signals signals, final List<WindowDescriptor> descriptors)
    {
        this.session = session;
        this.bootstrap = bootstrap;
        this.number = number;
        this.memory = memory;
        this.signals = signals;
        this.descriptors = descriptors;
        team = session.team();
        errors = new WindowErrors(team, session.diagnosis(), number);
        closeMarkers = new CloseMarkers(bootstrap);
        incoming = new IncomingSignals(this, signals, closeMarkers);
        paths = new AtomicReferenceArray<>(descriptors.size());
        backoff =
            Backoff.forRanks(team.context().configuration().oversubscribed(), bootstrap.localSize());
        resources.add(signals.memory());
        acceptor = descriptors.size() > 1 ? new WindowAcceptor(this) : null;
        // Last, so that the memory is not marked as in use if the acceptor cannot start its thread.
        memory.use(1);
    }

    Team team()
    {
        return team;
    }

    Session session()
    {
        return session;
    }

    Bootstrap bootstrap()
    {
        return bootstrap;
    }

    int rank()
    {
        return bootstrap.rank();
    }

    PooledDataBuffer memory()
    {
        return memory;
    }

    WindowDescriptor descriptor(final int rank)
    {
        return descriptors.get(rank);
    }

    int size()
    {
        return paths.length();
    }

    Signals signals()
    {
        return signals;
    }

    /** Returns the signals from other ranks to this rank. */
    IncomingSignals incoming()
    {
        return incoming;
    }

    WindowErrors errors()
    {
        return errors;
    }

    WindowAcceptor acceptor()
    {
        return acceptor;
    }

    /** Returns the maximum number of RDMA reads in flight to a rank, in one direction. */
    int reads(final int rank)
    {
        return Math.min(descriptors.get(rank).reads(), descriptors.get(rank()).reads());
    }

    /** Returns the path to a rank. */
    WindowPath path(final int rank)
    {
        final WindowPath found = paths.get(rank);
        return found == null ? makePath(rank) : found;
    }

    private WindowPath makePath(final int rank)
    {
        final WindowPath made = rank == rank() ? new SelfEndpoint(this, signals) : new RmaEndpoint(this, rank);
        final WindowPath found = paths.compareAndExchange(rank, null, made);
        return found == null ? made : found;
    }

    /** Returns the first failure, or null. */
    CollectiveException failure()
    {
        return failure.get();
    }

    boolean isClosed()
    {
        return closed;
    }

    /** Returns the name of the thread that closes the communicator, or null. */
    String closingThread()
    {
        return closingThread;
    }

    boolean isFreed()
    {
        return freed;
    }

    /** Throws if the window is closed or has failed. */
    void requireOpen()
    {
        session.admission().requireOutsideOperator();
        if (closed || closingThread != null)
        {
            throw new IllegalStateException(closed ? "the window is closed" : "the communicator is closed");
        }
        requireNotFailed();
    }

    /** Prevents the window from being freed before {@link #exit}. Throws if the window has been freed. */
    void enter()
    {
        users.incrementAndGet();
        if (freed)
        {
            exit();
            throw problem();
        }
    }

    /** Ends the section that {@link #enter} began. */
    void exit()
    {
        users.decrementAndGet();
    }

    /** Throws the first failure, if any. */
    void requireNotFailed()
    {
        final CollectiveException earlier = failure.get();
        if (earlier != null)
        {
            throw Failures.again(earlier);
        }
    }

    /** Returns the exception for operations that will not complete, as the window has failed or is closed. */
    RuntimeException problem()
    {
        final CollectiveException earlier = failure.get();
        return earlier != null ? Failures.again(earlier) : new IllegalStateException("the window is closed" +
            (closingThread == null ? "" : ": thread " + closingThread + " closed the communicator"));
    }

    /**
     * Checks at intervals whether a wait for a rank can still succeed; throws if it cannot, or the deadline has passed.
     *
     * @param attempt   number of earlier calls in this wait; the first call always checks.
     * @param startNs   result of the previous call, at first 0.
     * @param timeoutNs maximum duration, in nanoseconds.
     * @param rank      rank to wait for.
     * @return start of the wait by {@link System#nanoTime()}, or 0 before the first check.
     */
    long look(final int attempt, final long startNs, final long timeoutNs, final int rank)
    {
        if (!shouldCheck(attempt))
        {
            return startNs;
        }
        enter();
        try
        {
            requireNotFailed();
            final RankFailure rankFailure = team.bootstrap().failure();
            if (rankFailure != null)
            {
                throw fail(errors.rankFailed(errors.completion(rank), rankFailure));
            }
            requireDevice(rank);
        }
        finally
        {
            exit();
        }
        if (Thread.currentThread().isInterrupted())
        {
            throw fail(errors.interrupted(rank, errors.completion(rank)));
        }
        final long now = System.nanoTime();
        if (startNs != 0 && now - startNs >= timeoutNs)
        {
            throw fail(errors.timeout(rank, errors.completion(rank), timeoutNs));
        }
        return startNs == 0 ? now : startNs;
    }

    /** Fails the window if a device of the team has failed. */
    void requireDevice(final int rank)
    {
        final AsyncEvent event = team.pollEvent();
        if (event != null)
        {
            throw fail(session.diagnosis().transport().eventFailure(session.engine().sequence(), rank, event));
        }
    }

    /** Returns whether a wait must check for failures now. */
    boolean shouldCheck(final int attempt)
    {
        return backoff.shouldCheck(attempt);
    }

    /** Pauses between two attempts of a wait. */
    void pause(final int attempt)
    {
        backoff.pause(attempt);
    }

    /**
     * Waits until all operations that were started have completed.
     *
     * @param timeoutNs maximum duration of the whole call, in nanoseconds.
     * @return start of the wait by {@link System#nanoTime()}, or 0 if there was none.
     */
    long flush(final long timeoutNs)
    {
        long startNs = 0;
        for (int rank = 0; rank < paths.length(); rank++)
        {
            final WindowPath path = paths.get(rank);
            if (path != null)
            {
                startNs = path.flush(startNs, timeoutNs);
            }
        }
        return startNs;
    }

    /** Fails this and all later calls on all ranks. Returns the exception to throw, which reports the first failure. */
    CollectiveException fail(final CollectiveException cause)
    {
        if (!failure.compareAndSet(null, cause))
        {
            return Failures.again(failure.get(), cause);
        }
        session.sessions().fail(cause);
        team.abort(cause.getMessage(), cause);
        return cause;
    }

    /**
     * Fails the window because this rank cannot connect to another one; a job failure takes precedence as the reason.
     */
    CollectiveException failConnect(final int rank, final RuntimeException e)
    {
        final RankFailure rankFailure = team.bootstrap().failure();
        return fail(rankFailure == null ? errors.cannotConnect(rank, e) :
            errors.rankFailed(errors.completion(rank), rankFailure));
    }

    /** Fails the window because this rank cannot accept a connection. */
    void failAnswer(final Throwable e)
    {
        if (!closed && failure.get() == null)
        {
            fail(errors.cannotConnect(-1, e));
        }
    }

    /** Fails all calls from now on, unless the window has failed before. */
    @Override
    public void poison(final CollectiveException cause)
    {
        failure.compareAndSet(null, cause);
    }

    /** Marks the communicator as being closed. */
    @Override
    public void stop(final String thread)
    {
        closingThread = thread;
    }

    /**
     * Closes the window collectively; if the window has failed, frees it locally. Does nothing while the communicator
     * is being closed: the communicator frees the window.
     */
    void close(final long timeoutNs)
    {
        if (closingThread != null || !closing.compareAndSet(false, true))
        {
            return;
        }
        CollectiveException thrown = null;
        if (failure.get() == null)
        {
            try
            {
                closeTogether(timeoutNs);
            }
            catch (final CollectiveException e)
            {
                thrown = e;
            }
            finally
            {
                // If another thread is in a call, the window stays open.
                closing.set(closed || failure.get() != null);
            }
        }
        final List<Exception> left = free();
        // Removed only now: a thread that closes the communicator concurrently must wait until the window is freed.
        session.windows().remove(this);
        if (thrown != null)
        {
            left.forEach(thrown::addSuppressed);
            throw thrown;
        }
        if (!left.isEmpty() && failure.get() == null)
        {
            final IllegalStateException unfreed = new IllegalStateException("cannot free window #" + number);
            left.forEach(unfreed::addSuppressed);
            throw unfreed;
        }
    }

    private void closeTogether(final long timeoutNs)
    {
        session.setup().hold(Creation.closeWindow(number), new SetupCollective.Making<Void>()
        {
            @Override
            public byte[] contribution()
            {
                endCalls(timeoutNs);
                return NOTHING;
            }

            @Override
            public Void make(final List<byte[]> all, final long leftNs)
            {
                return null;
            }
        }, timeoutNs);
    }

    /** Stops puts, gets and signals of this rank, and completes those in flight. */
    @Override
    public synchronized void announceClose()
    {
        if (freed)
        {
            return;
        }
        endCalls(CLOSE_TIMEOUT_NS);
    }

    /**
     * Rejects new operations of this rank, completes those in flight, and leaves the close marker. Ends pending
     * connection requests before that, so that no keys are left in the store.
     */
    private void endCalls(final long timeoutNs)
    {
        closed = true;
        for (int rank = 0; rank < paths.length(); rank++)
        {
            final WindowPath path = paths.get(rank);
            if (path != null)
            {
                path.endConnecting(timeoutNs);
            }
        }
        flush(timeoutNs);
        closeMarkers.leave();
    }

    void addProblems(final List<Exception> more)
    {
        problems.addAll(more);
    }

    /** Frees the window, when no peer writes into it any longer. Returns the problems. */
    @Override
    public synchronized List<Exception> free()
    {
        if (freed)
        {
            return List.of();
        }
        closed = true;
        freed = true;
        for (int attempt = 0; users.get() > 0; attempt++)
        {
            Backoff.FOR_THREADS.pause(attempt);
        }
        for (int rank = 0; rank < paths.length(); rank++)
        {
            final WindowPath path = paths.get(rank);
            if (path != null)
            {
                path.close();
            }
        }
        if (acceptor != null)
        {
            problems.addAll(acceptor.close());
        }
        closeMarkers.remove();
        resources.close(problems);
        memory.use(-1);
        return problems;
    }
}
