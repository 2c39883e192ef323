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
 * One rank's end of a window: where all ranks' memory is, the paths to them, and when the window is open, has failed or
 * is closed. Thread-safe; but for what is connected first, nothing is allocated.
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
    private final ResourceScope parts = new ResourceScope();
    private final List<Exception> problems = new ArrayList<>();
    private final WindowAcceptor acceptor;
    private final Backoff backoff;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;
    private volatile boolean freed;
    /** Threads that must not see it freed. */
    private final AtomicInteger users = new AtomicInteger();
    private volatile String closingThread;
    private final AtomicReference<CollectiveException> failure = new AtomicReference<>();

    /**
     * That of a new window.
     *
     * @param session   session of its communicator.
     * @param bootstrap bootstrap of the window.
     * @param number    number of the call that made it.
     * @param memory    memory of this rank.
     * @param signals   signals of other ranks to this rank, owned from now on.
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
        backoff = Backoff.forRanks(bootstrap.localSize());
        parts.add(signals.memory());
        acceptor = descriptors.size() > 1 ? new WindowAcceptor(this) : null;
        // Not if the acceptor has no thread.
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

    /** The signals that come to this rank, to take and to wait for. */
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

    /** How many reads may be under way between this rank and another one, in one direction. */
    int reads(final int rank)
    {
        return Math.min(descriptors.get(rank).reads(), descriptors.get(rank()).reads());
    }

    /** The way to a rank. */
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

    /** Why it has failed, or null. */
    CollectiveException failure()
    {
        return failure.get();
    }

    boolean isClosed()
    {
        return closed;
    }

    /** The thread that closes the communicator, or null. */
    String closingThread()
    {
        return closingThread;
    }

    boolean isFreed()
    {
        return freed;
    }

    /** Throws unless the window is open and works. */
    void requireOpen()
    {
        session.admission().requireOutsideOperator();
        if (closed || closingThread != null)
        {
            throw new IllegalStateException(closed ? "the window is closed" : "the communicator is closed");
        }
        requireNotFailed();
    }

    /** The calling thread uses what this end has: it is not freed before {@link #exit}. Throws if it is. */
    void enter()
    {
        users.incrementAndGet();
        if (freed)
        {
            exit();
            throw problem();
        }
    }

    /** It does not any more. */
    void exit()
    {
        users.decrementAndGet();
    }

    /** Throws if it has failed. */
    void requireNotFailed()
    {
        final CollectiveException earlier = failure.get();
        if (earlier != null)
        {
            throw Failures.again(earlier);
        }
    }

    /** Why what was started does not get done. */
    RuntimeException problem()
    {
        final CollectiveException earlier = failure.get();
        return earlier != null ? Failures.again(earlier) : new IllegalStateException("the window is closed" +
            (closingThread == null ? "" : ": thread " + closingThread + " closed the communicator"));
    }

    /**
     * Now and then, looks whether to wait for a rank makes sense.
     *
     * @param attempt   number of earlier calls in this wait; the first time it looks.
     * @param startNs   what it returned before, at first 0.
     * @param timeoutNs maximum duration, in nanoseconds.
     * @param rank      waited for.
     * @return when the wait began.
     */
    long look(final int attempt, final long startNs, final long timeoutNs, final int rank)
    {
        if (!isTimeToLook(attempt))
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

    /** Fails if the device by which a rank is reached has. */
    void requireDevice(final int rank)
    {
        final AsyncEvent event = team.pollEvent();
        if (event != null)
        {
            throw fail(session.diagnosis().transport().eventFailure(session.engine().sequence(), rank, event));
        }
    }

    /** Whether a wait is to look now if it makes sense. */
    boolean isTimeToLook(final int attempt)
    {
        return backoff.isTimeToLook(attempt);
    }

    /** One round of a wait. */
    void pause(final int attempt)
    {
        backoff.pause(attempt);
    }

    /**
     * Waits until all that was started is done.
     *
     * @param timeoutNs timeout of the whole, in nanoseconds.
     * @return when the wait began, or 0 if there was none.
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

    /** Fails this and all later calls, on all ranks. What to throw: the first failure is the reason. */
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

    /** This rank cannot connect with another one; if the job has failed, that is why. */
    CollectiveException failConnect(final int rank, final RuntimeException e)
    {
        final RankFailure rankFailure = team.bootstrap().failure();
        return fail(rankFailure == null ? errors.cannotConnect(rank, e) :
            errors.rankFailed(errors.completion(rank), rankFailure));
    }

    /** The same, when others want it. */
    void failAnswer(final Throwable e)
    {
        if (!closed && failure.get() == null)
        {
            fail(errors.cannotConnect(-1, e));
        }
    }

    /** All calls fail from now on, unless they have before. */
    @Override
    public void poison(final CollectiveException cause)
    {
        failure.compareAndSet(null, cause);
    }

    /** The communicator is being closed. */
    @Override
    public void stop(final String thread)
    {
        closingThread = thread;
    }

    /** Makes all ranks close it, unless the communicator is closed or has failed: then this one frees it. */
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
                // Where another thread is in a call it is not closed.
                closing.set(closed || failure.get() != null);
            }
        }
        final List<Exception> left = free();
        // Not before: a thread that closes the communicator meanwhile must wait for it.
        session.channels().windows().remove(this);
        if (thrown != null)
        {
            left.forEach(thrown::addSuppressed);
            throw thrown;
        }
        if (!left.isEmpty() && failure.get() == null)
        {
            final IllegalStateException unfreed = new IllegalStateException("cannot free a window");
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

    /** This rank puts, gets and signals no more, and what it has started is done. */
    @Override
    public synchronized void announceClose()
    {
        if (freed)
        {
            return;
        }
        endCalls(CLOSE_TIMEOUT_NS);
    }

    /** What rings at other ranks' doors has rung before they are told of the end, and remove what is left there. */
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

    /** Frees it, when no peer writes into it any more. What went wrong. */
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
        parts.close(problems);
        memory.use(-1);
        return problems;
    }
}
