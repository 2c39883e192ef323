/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.Request;
import org.tutti.collectives.Window;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.exec.ArgumentChecks;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.wireup.PooledDataBuffer;

import java.time.Duration;

import static java.util.Objects.requireNonNull;
import static org.tutti.rdma.SendOpcode.RDMA_READ;
import static org.tutti.rdma.SendOpcode.RDMA_WRITE;

/**
 * A view of a {@link LocalWindow} with its own timeout. All views of a window share the local window. Checks the
 * arguments of calls.
 */
final class EngineWindow implements Window
{
    private final LocalWindow window;
    private final ArgumentChecks checks;
    private final long timeoutNs;
    private final DataType type;
    private final int elementSize;

    EngineWindow(final LocalWindow window, final ArgumentChecks checks, final long timeoutNs)
    {
        this.window = window;
        this.timeoutNs = timeoutNs;
        this.checks = checks;
        type = window.memory().type();
        elementSize = type.size();
    }

    @Override
    public DataType type()
    {
        return type;
    }

    @Override
    public long count(final int rank)
    {
        requireRank(rank);
        return window.descriptor(rank).count();
    }

    @Override
    public int signals()
    {
        return window.signals().count();
    }

    @Override
    public Window withTimeout(final Duration timeout)
    {
        requireNonNull(timeout, "timeout");
        if (timeout.isZero() || timeout.isNegative())
        {
            throw new IllegalArgumentException("timeout=" + timeout + ": must be greater than 0");
        }
        return new EngineWindow(window, checks, EngineConfiguration.timeoutNs(timeout));
    }

    @Override
    public void put(
        final DataBuffer source, final long sourceOffset, final long count, final int rank, final long targetOffset)
    {
        start(RDMA_WRITE, source, sourceOffset, count, rank, targetOffset, WindowPath.NO_SIGNAL, false);
    }

    @Override
    public Request iput(
        final DataBuffer source, final long sourceOffset, final long count, final int rank, final long targetOffset)
    {
        return start(RDMA_WRITE, source, sourceOffset, count, rank, targetOffset, WindowPath.NO_SIGNAL, true);
    }

    @Override
    public void putSignal(
        final DataBuffer source, final long sourceOffset, final long count, final int rank, final long targetOffset,
        final int signal)
    {
        requireSignal(signal);
        start(RDMA_WRITE, source, sourceOffset, count, rank, targetOffset, signal, false);
    }

    @Override
    public Request iputSignal(
        final DataBuffer source, final long sourceOffset, final long count, final int rank, final long targetOffset,
        final int signal)
    {
        requireSignal(signal);
        return start(RDMA_WRITE, source, sourceOffset, count, rank, targetOffset, signal, true);
    }

    private WindowRequest start(
        final int opcode, final DataBuffer local, final long localOffset, final long count, final int rank,
        final long windowOffset, final int signal, final boolean isStarted)
    {
        final PooledDataBuffer own =
            own(opcode == RDMA_READ ? "target" : "source", local, localOffset, count, rank, windowOffset);
        final WindowPath path = window.path(rank);
        final WindowRequest request = isStarted ? new WindowRequest(window, path, own, timeoutNs) : null;
        try
        {
            path.start(opcode, own.memory().address() + localOffset * elementSize, lkey(own, rank),
                count * elementSize, windowOffset * elementSize, signal, request, timeoutNs);
        }
        catch (final RuntimeException | Error e)
        {
            // The request is not in flight: nothing was started, or the window has failed.
            if (request != null)
            {
                request.abandon();
            }
            throw e;
        }
        return request;
    }

    /** Returns the local key for the device that reaches a rank. */
    private int lkey(final PooledDataBuffer own, final int rank)
    {
        return own.memory().lkey(window.team().device(rank).index());
    }

    @Override
    public void get(
        final DataBuffer target, final long targetOffset, final long count, final int rank, final long sourceOffset)
    {
        start(RDMA_READ, target, targetOffset, count, rank, sourceOffset, WindowPath.NO_SIGNAL, false);
    }

    @Override
    public Request iget(
        final DataBuffer target, final long targetOffset, final long count, final int rank, final long sourceOffset)
    {
        return start(RDMA_READ, target, targetOffset, count, rank, sourceOffset, WindowPath.NO_SIGNAL, true);
    }

    @Override
    public void signal(final int rank, final int signal)
    {
        signal(rank, signal, false);
    }

    @Override
    public Request isignal(final int rank, final int signal)
    {
        return signal(rank, signal, true);
    }

    private WindowRequest signal(final int rank, final int signal, final boolean isStarted)
    {
        window.requireOpen();
        requireRank(rank);
        requireSignal(signal);
        final WindowPath path = window.path(rank);
        final WindowRequest request = isStarted ? new WindowRequest(window, path, null, timeoutNs) : null;
        path.start(RDMA_WRITE, 0, 0, 0, 0, signal, request, timeoutNs);
        return request;
    }

    @Override
    public void waitSignal(final int rank, final int signal, final long count)
    {
        requireWait(rank, signal, count);
        window.incoming().await(rank, signal, count, timeoutNs);
    }

    @Override
    public boolean testSignal(final int rank, final int signal, final long count)
    {
        requireWait(rank, signal, count);
        return window.incoming().tryTake(rank, signal, count);
    }

    @Override
    public Request iwaitSignal(final int rank, final int signal, final long count)
    {
        requireWait(rank, signal, count);
        return new SignalRequest(window, rank, signal, count, timeoutNs);
    }

    @Override
    public long pendingSignals(final int rank, final int signal)
    {
        requireWait(rank, signal, 1);
        return window.incoming().pending(rank, signal);
    }

    private void requireWait(final int rank, final int signal, final long count)
    {
        window.requireOpen();
        requireRank(rank);
        requireSignal(signal);
        if (count < 1)
        {
            throw new IllegalArgumentException("count=" + count + ": must be at least 1");
        }
    }

    @Override
    public void flush()
    {
        window.requireOpen();
        window.flush(timeoutNs);
    }

    @Override
    public void flush(final int rank)
    {
        window.requireOpen();
        requireRank(rank);
        window.path(rank).flush(0, timeoutNs);
    }

    @Override
    public void fence()
    {
        window.requireOpen();
        final Session session = window.session();
        if (session.group().isOpenHere())
        {
            throw new IllegalStateException(
                "fence called in a group of the communicator: call it before or after the group");
        }
        final long startNs = window.flush(timeoutNs);
        session.enter(timeoutNs);
        try
        {
            // Flush and barrier share one deadline.
            session.waiter().begin(timeoutNs, startNs);
            session.execute(session.call(Collective.BARRIER).shape(null, 0, null, null)
                .memory(session.team().memory().scratch(), session.team().memory().scratch()));
        }
        finally
        {
            session.leave();
        }
    }

    @Override
    public void close()
    {
        window.close(timeoutNs);
    }

    private PooledDataBuffer own(
        final String name, final DataBuffer buffer, final long offset, final long count, final int rank,
        final long windowOffset)
    {
        window.requireOpen();
        final PooledDataBuffer own = checks.reachable(name, buffer);
        if (!own.type().equals(type))
        {
            throw new IllegalArgumentException(
                name + " and window types differ: " + own.type().shortName() + " != " + type.shortName());
        }
        requireRank(rank);
        requireInside(name, offset, count, own.count());
        final long windowCount = window.descriptor(rank).count();
        if (windowOffset < 0 || count > windowCount - windowOffset)
        {
            throw new IndexOutOfBoundsException("range [" + windowOffset + ", " + windowOffset + " + " + count +
                ") exceeds the window of rank " + rank + ", which has " + windowCount + " elements");
        }
        return own;
    }

    private static void requireInside(final String name, final long offset, final long count, final long all)
    {
        if (offset < 0 || count < 0 || count > all - offset)
        {
            throw new IndexOutOfBoundsException("range [" + offset + ", " + offset + " + " + count + ") exceeds " +
                name + ", which has " + all + " elements");
        }
    }

    private void requireRank(final int rank)
    {
        if (rank < 0 || rank >= window.size())
        {
            throw new IllegalArgumentException("rank=" + rank + ": must be from 0 to " + (window.size() - 1));
        }
    }

    private void requireSignal(final int signal)
    {
        if (signal < 0 || signal >= signals())
        {
            throw new IllegalArgumentException("signal=" + signal + ": must be from 0 to " + (signals() - 1) +
                ", the window has " + signals() + " signals");
        }
    }
}
