/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.schedule.Collective;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * What the views of one communicator share: connections, engine, plans, and whether it still works. One thread at a
 * time may run a call; whoever comes in between is refused. The first failure is kept, told to all ranks, and thrown
 * again by every later call.
 */
final class Session implements AutoCloseable
{
    private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Mesh mesh;
    private final ScheduleEngine engine;
    private final Waiter waiter;
    private final PlanCache plans;
    private final Staging staging;
    private final Splitter splitter;
    private final AtomicReference<Thread> caller = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private boolean gathering;
    private boolean interrupted;
    private volatile CollectiveException failure;

    Session(final Mesh mesh, final EngineConfiguration configuration)
    {
        this.mesh = mesh;
        engine = new ScheduleEngine(mesh);
        waiter = new Waiter(mesh, engine);
        plans = new PlanCache(mesh, configuration.selector(), configuration.verbose());
        staging = new Staging(this);
        splitter = new Splitter(this);
        mesh.family().add(this);
    }

    Mesh mesh()
    {
        return mesh;
    }

    Staging staging()
    {
        return staging;
    }

    Splitter splitter()
    {
        return splitter;
    }

    Waiter waiter()
    {
        return waiter;
    }

    ScheduleEngine engine()
    {
        return engine;
    }

    /** Whether the caller waits in the bootstrap, where only an interrupt reaches it. */
    synchronized void gathering(final boolean isGathering)
    {
        gathering = isGathering;
        if (!isGathering && interrupted)
        {
            // It was for the call that is over now.
            Thread.interrupted();
        }
    }

    private synchronized void interruptGathering()
    {
        final Thread thread = caller.get();
        if (gathering && thread != null)
        {
            interrupted = true;
            thread.interrupt();
        }
    }

    /** Runs one call. */
    @SuppressWarnings("checkstyle:ParameterNumber")
    void run(
        final Collective collective, final DataType type, final ReduceOp op, final long count, final int root,
        final RegisteredBuffer input, final RegisteredBuffer output, final long timeoutNs)
    {
        enter(timeoutNs);
        try
        {
            runEntered(collective, type, op, count, root, input, output);
        }
        finally
        {
            leave();
        }
    }

    /** Runs one call, or a part of one, of a thread that has entered. */
    @SuppressWarnings("checkstyle:ParameterNumber")
    void runEntered(
        final Collective collective, final DataType type, final ReduceOp op, final long count, final int root,
        final RegisteredBuffer input, final RegisteredBuffer output)
    {
        execute(plans.find(collective, type, op, count, root, input.address() == output.address()), input, output);
    }

    /** Ends a call that is under way, and frees everything; of threads that close at once, one does it. */
    @Override
    public void close()
    {
        if (!closed.compareAndSet(false, true))
        {
            return;
        }
        waiter.stop(Thread.currentThread());
        while (!caller.compareAndSet(null, Thread.currentThread()))
        {
            interruptGathering();
            LockSupport.parkNanos(PAUSE_NS);
        }

        mesh.family().close(this, this::leaveAndFree);
    }

    private void leaveAndFree()
    {
        RuntimeException cause = null;
        try
        {
            leaveJob();
        }
        catch (final CollectiveException e)
        {
            cause = fail(e);
        }
        catch (final RuntimeException e)
        {
            cause = e;
        }
        staging.close();
        mesh.close(cause);
        if (cause != null)
        {
            throw cause;
        }
    }

    /** Throws unless the communicator is open and works. */
    void requireOpen()
    {
        if (closed.get())
        {
            throw new IllegalStateException("the communicator is closed");
        }
        final CollectiveException earlier = failure;
        if (earlier != null)
        {
            throw earlier instanceof RankFailedException ?
                new RankFailedException(earlier.peer(), "the communicator has failed: " + earlier.getMessage()) :
                new CollectiveException(
                    earlier.peer(), "the communicator has failed: " + earlier.getMessage(), earlier);
        }
    }

    /** Takes the communicator for a call of the calling thread, if it is free, open and works. */
    void enter(final long timeoutNs)
    {
        final Thread other = caller.compareAndExchange(null, Thread.currentThread());
        if (other != null)
        {
            requireOpen();
            throw new IllegalStateException(
                "the communicator is in use by thread " + other.getName() + ": one thread at a time may call");
        }
        try
        {
            requireOpen();
        }
        catch (final RuntimeException e)
        {
            leave();
            throw e;
        }
        waiter.begin(timeoutNs);
    }

    /** Gives the communicator back. */
    void leave()
    {
        caller.set(null);
    }

    /** Waits until the other ranks are done with this one, and looks whether all have made the same calls. */
    private void leaveJob()
    {
        if (failure != null || mesh.size() == 1)
        {
            return;
        }
        engine.announceClose();
        tellUnconnected();
        final long[] calls = mesh.awaitOthers(engine.sequence() + 1, CLOSE_TIMEOUT_NS);
        if (calls != null)
        {
            engine.checkClosed(calls);
            mesh.board().clear();
        }
    }

    private void tellUnconnected()
    {
        try
        {
            if (!mesh.isComplete())
            {
                mesh.board().publishEnd();
            }
        }
        catch (final BootstrapException jobFailed)
        {
            // Then nobody waits for this rank.
        }
    }

    private void execute(final Plan plan, final RegisteredBuffer input, final RegisteredBuffer output)
    {
        try
        {
            engine.begin(plan, input, output);
            engine.doWork();
            if (!engine.isDone())
            {
                await();
            }
        }
        catch (final RuntimeException | Error e)
        {
            throw fail(e);
        }
    }

    private void await()
    {
        while (!engine.isDone())
        {
            if (engine.doWork() > 0)
            {
                waiter.progressed();
            }
            else
            {
                waiter.idle();
            }
        }
    }

    /** Fails all later calls, because another communicator of the family failed, unless this one did before. */
    void poison(final CollectiveException cause)
    {
        if (failure == null)
        {
            failure = cause;
        }
    }

    /** Fails this and all later calls, on all ranks. */
    CollectiveException fail(final Throwable thrown)
    {
        final CollectiveException cause = thrown instanceof final CollectiveException e ? e : new CollectiveException(
            -1, mesh.diagnosis().where(engine.sequence()) + " failed: " + thrown.getMessage(), thrown);
        failure = cause;
        mesh.family().fail(cause);
        mesh.abort(cause.getMessage(), cause);
        return cause;
    }
}
