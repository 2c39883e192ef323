/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.DataType;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.exec.ScheduleExecutor;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.progress.RankIdleStrategy;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.wireup.PooledDataBuffer;
import org.tutti.rdma.memory.RegisteredBuffer;

/** A concurrent send and receive by one thread that holds the locks of both channels. Allocates nothing. */
final class Sendrecv
{
    private Sendrecv()
    {
    }

    /**
     * Runs a send and a receive, unless one of their channels has requests that are not done.
     *
     * @param receives  channel by which this rank receives.
     * @param output    buffer to receive into.
     * @param sends     channel by which this rank sends.
     * @param input     buffer to send.
     * @param timeoutNs timeout of send and receive together, in nanoseconds.
     * @return false if neither was begun, because a channel has requests that are not done.
     */
    static boolean tryRun(
        final Session receives, final PooledDataBuffer output, final Session sends, final PooledDataBuffer input,
        final long timeoutNs)
    {
        if (!receives.tryEnter(timeoutNs))
        {
            return false;
        }
        try
        {
            if (!sends.tryEnter(timeoutNs))
            {
                return false;
            }
            try
            {
                begin(receives, output.type(), output.count(), output.memory());
                begin(sends, input.type(), input.count(), input.memory());
                while (!progress(receives, sends))
                {
                    // progress idles by itself.
                }
                return true;
            }
            finally
            {
                sends.leave();
            }
        }
        finally
        {
            receives.leave();
        }
    }

    /** Sets the arguments of a send or a receive of a buffer. */
    static CollectiveCall set(final CollectiveCall call, final PooledDataBuffer buffer)
    {
        return call.shape(buffer.type(), buffer.count(), null, null).checked(buffer, buffer)
            .memory(buffer.memory(), buffer.memory());
    }

    /** Begins a send or a receive in a channel that the caller has entered. */
    static void begin(final Session channel, final DataType type, final long count, final RegisteredBuffer memory)
    {
        try
        {
            final CollectiveCall call =
                channel.call(Collective.BROADCAST).shape(type, count, null, null).memory(memory, memory);
            final ScheduleExecutor engine = channel.engine();
            engine.begin(call.plan(channel.plans().find(call)));
            engine.send();
            if (engine.isDone())
            {
                // Without this, a channel with short sends only would poll neither its completions nor for a failed
                // rank.
                engine.progress(0);
                channel.checkFailure();
            }
        }
        catch (final RuntimeException | Error e)
        {
            throw channel.fail(e);
        }
    }

    /**
     * Progresses the send and the receive, and idles if neither made progress.
     *
     * @return whether both are done.
     */
    static boolean progress(final Session receives, final Session sends)
    {
        final int work = work(sends) + work(receives);
        final boolean isReceived = receives.engine().isDone();
        final boolean isSent = sends.engine().isDone();
        if (isReceived && isSent)
        {
            return true;
        }
        final Session pending = isReceived ? sends : receives;
        if (isReceived)
        {
            sends.waiter().continueFrom(receives.waiter());
        }
        try
        {
            final int others = work > 0 ? RankIdleStrategy.NONE : pending.progressOthers();
            pending.waiter().idleAfter(
                work, isReceived || isSent ? others : Math.max(others, RankIdleStrategy.WAITING));
        }
        catch (final RuntimeException | Error e)
        {
            throw pending.fail(e);
        }
        return false;
    }

    private static int work(final Session channel)
    {
        try
        {
            return channel.engine().isDone() ? 0 : channel.engine().progress(0);
        }
        catch (final RuntimeException | Error e)
        {
            throw channel.fail(e);
        }
    }
}
