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

/** A window: a view of the end that all its views share, with a deadline of its own. Checks what callers pass. */
final class EngineWindow implements Window
{
    private final LocalWindow end;
    private final ArgumentChecks checks;
    private final long timeoutNs;
    private final DataType type;
    private final int elementSize;

    EngineWindow(final LocalWindow end, final ArgumentChecks checks, final long timeoutNs)
    {
        this.end = end;
        this.timeoutNs = timeoutNs;
        this.checks = checks;
        type = end.memory().type();
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
        return end.descriptor(rank).count();
    }

    @Override
    public int signals()
    {
        return end.signals().count();
    }

    @Override
    public Window withTimeout(final Duration timeout)
    {
        requireNonNull(timeout, "timeout");
        if (timeout.isZero() || timeout.isNegative())
        {
            throw new IllegalArgumentException("timeout=" + timeout + ": must be more than 0");
        }
        return new EngineWindow(end, checks, EngineConfiguration.timeoutNs(timeout));
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
        final WindowPath path = end.path(rank);
        final WindowRequest request = isStarted ? new WindowRequest(end, path, own, timeoutNs) : null;
        try
        {
            path.start(opcode, own.memory().address() + localOffset * elementSize, lkey(own, rank),
                count * elementSize, windowOffset * elementSize, signal, request, timeoutNs);
        }
        catch (final RuntimeException | Error e)
        {
            // It is not under way: nothing was started, or all has failed.
            if (request != null)
            {
                request.abandon();
            }
            throw e;
        }
        return request;
    }

    /** That of the way to a rank. */
    private int lkey(final PooledDataBuffer own, final int rank)
    {
        return own.memory().lkey(end.team().device(rank).index());
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
        end.requireOpen();
        requireRank(rank);
        requireSignal(signal);
        final WindowPath path = end.path(rank);
        final WindowRequest request = isStarted ? new WindowRequest(end, path, null, timeoutNs) : null;
        path.start(RDMA_WRITE, 0, 0, 0, 0, signal, request, timeoutNs);
        return request;
    }

    @Override
    public void waitSignal(final int rank, final int signal, final long count)
    {
        requireWait(rank, signal, count);
        end.incoming().await(rank, signal, count, timeoutNs);
    }

    @Override
    public boolean testSignal(final int rank, final int signal, final long count)
    {
        requireWait(rank, signal, count);
        return end.incoming().tryTake(rank, signal, count);
    }

    @Override
    public Request iwaitSignal(final int rank, final int signal, final long count)
    {
        requireWait(rank, signal, count);
        return new SignalRequest(end, rank, signal, count, timeoutNs);
    }

    @Override
    public long pendingSignals(final int rank, final int signal)
    {
        requireWait(rank, signal, 1);
        return end.incoming().pending(rank, signal);
    }

    private void requireWait(final int rank, final int signal, final long count)
    {
        end.requireOpen();
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
        end.requireOpen();
        end.flush(timeoutNs);
    }

    @Override
    public void flush(final int rank)
    {
        end.requireOpen();
        requireRank(rank);
        end.path(rank).flush(0, timeoutNs);
    }

    @Override
    public void fence()
    {
        end.requireOpen();
        final Session session = end.session();
        if (session.group().isOpenHere())
        {
            throw new IllegalStateException(
                "this thread is in a group of the communicator: make fences before it or after it");
        }
        final long startNs = end.flush(timeoutNs);
        session.enter(timeoutNs);
        try
        {
            // Both have one deadline.
            session.waiter().begin(timeoutNs, startNs);
            session.execute(
                session.call(Collective.BARRIER).memory(session.team().scratch(), session.team().scratch()));
        }
        finally
        {
            session.leave();
        }
    }

    @Override
    public void close()
    {
        end.close(timeoutNs);
    }

    private PooledDataBuffer own(
        final String name, final DataBuffer buffer, final long offset, final long count, final int rank,
        final long windowOffset)
    {
        end.requireOpen();
        final PooledDataBuffer own = checks.own(name, buffer);
        if (!own.type().equals(type))
        {
            throw new IllegalArgumentException(name + " has elements of " + own.type().shortName() +
                ", the window of " + type.shortName() + ": they must be of one type");
        }
        requireRank(rank);
        requireInside(name, offset, count, own.count());
        final long there = end.descriptor(rank).count();
        if (windowOffset < 0 || count > there - windowOffset)
        {
            throw new IndexOutOfBoundsException("elements " + windowOffset + " to " + windowOffset + " + " + count +
                " are outside of the window of rank " + rank + ", which has " + there);
        }
        return own;
    }

    private static void requireInside(final String name, final long offset, final long count, final long all)
    {
        if (offset < 0 || count < 0 || count > all - offset)
        {
            throw new IndexOutOfBoundsException("elements " + offset + " to " + offset + " + " + count +
                " are outside of " + name + ", which has " + all);
        }
    }

    private void requireRank(final int rank)
    {
        if (rank < 0 || rank >= end.size())
        {
            throw new IllegalArgumentException("rank=" + rank + ": must be from 0 to " + (end.size() - 1));
        }
    }

    private void requireSignal(final int signal)
    {
        if (signal < 0 || signal >= signals())
        {
            throw new IllegalArgumentException("signal=" + signal + ": must be from 0 to " + (signals() - 1) +
                ", as the window was made with " + signals());
        }
    }
}
