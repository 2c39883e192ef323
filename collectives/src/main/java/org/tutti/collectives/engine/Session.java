/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What the views of one communicator share: connections, engine, plans, and whether it still works. One thread at a
 * time may run a call; whoever comes in between is refused. The first failure is kept, told to all ranks, and thrown
 * again by every later call.
 */
final class Session implements AutoCloseable
{
    private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final Mesh mesh;
    private final ScheduleEngine engine;
    private final Waiter waiter;
    private final PlanCache plans;
    private final Staging staging;
    private final AtomicReference<Thread> caller = new AtomicReference<>();
    private volatile CollectiveException failure;
    private volatile boolean closed;

    Session(final Mesh mesh, final EngineConfiguration configuration)
    {
        this.mesh = mesh;
        engine = new ScheduleEngine(mesh);
        waiter = new Waiter(mesh, engine);
        plans = new PlanCache(mesh, AlgorithmSelector.of(configuration.algorithm()), configuration.verbose());
        staging = new Staging(this);
    }

    Mesh mesh()
    {
        return mesh;
    }

    Staging staging()
    {
        return staging;
    }

    void requireOpen()
    {
        if (closed)
        {
            throw new IllegalStateException("the communicator is closed");
        }
    }

    /** Runs one call. */
    @SuppressWarnings("checkstyle:ParameterNumber")
    void run(
        final Collective collective, final DataType type, final ReduceOp op, final long count, final int root,
        final RegisteredBuffer input, final RegisteredBuffer output, final long timeoutNs)
    {
        enter();
        try
        {
            runEntered(collective, type, op, count, root, input, output, timeoutNs);
        }
        finally
        {
            leave();
        }
    }

    /** Runs one call of a thread that has entered. */
    @SuppressWarnings("checkstyle:ParameterNumber")
    void runEntered(
        final Collective collective, final DataType type, final ReduceOp op, final long count, final int root,
        final RegisteredBuffer input, final RegisteredBuffer output, final long timeoutNs)
    {
        execute(
            plans.find(collective, type, op, count, root, input.address() == output.address()),
            input, output, timeoutNs);
    }

    @Override
    public void close()
    {
        if (closed)
        {
            return;
        }
        final Thread other = caller.compareAndExchange(null, Thread.currentThread());
        if (other != null)
        {
            throw new IllegalStateException("the communicator is in use by thread " + other.getName());
        }
        closed = true;
        mesh.close(failure == null ? CLOSE_TIMEOUT_NS : 0);
    }

    /** Takes the communicator for the calling thread, if it is free and works. */
    void enter()
    {
        final Thread other = caller.compareAndExchange(null, Thread.currentThread());
        if (other != null)
        {
            throw new IllegalStateException(closed ? "the communicator is closed" :
                "the communicator is in use by thread " + other.getName() + ": one thread at a time may call");
        }
        final CollectiveException earlier = failure;
        if (earlier != null)
        {
            leave();
            throw earlier instanceof RankFailedException ?
                new RankFailedException(earlier.peer(), "the communicator has failed: " + earlier.getMessage()) :
                new CollectiveException(
                    earlier.peer(), "the communicator has failed: " + earlier.getMessage(), earlier);
        }
    }

    /** Gives the communicator back. */
    void leave()
    {
        caller.set(null);
    }

    private void execute(
        final Plan plan, final RegisteredBuffer input, final RegisteredBuffer output, final long timeoutNs)
    {
        try
        {
            engine.begin(plan, input, output);
            engine.doWork();
            if (!engine.isDone())
            {
                await(timeoutNs);
            }
        }
        catch (final CollectiveException e)
        {
            throw fail(e);
        }
        catch (final RuntimeException | Error e)
        {
            throw fail(new CollectiveException(
                -1, mesh.diagnosis().where(engine.sequence()) + " failed: " + e.getMessage(), e));
        }
    }

    private void await(final long timeoutNs)
    {
        waiter.begin(timeoutNs);
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

    private CollectiveException fail(final CollectiveException cause)
    {
        failure = cause;
        if (mesh.bootstrap().failure() == null)
        {
            mesh.bootstrap().abort(cause.getMessage());
        }
        return cause;
    }
}
