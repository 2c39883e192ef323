/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.staging;

import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.progress.GroupOwner;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.util.Memory;
import org.tutti.collectives.wireup.PooledDataBuffer;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.Arrays;

/**
 * The calls that a thread groups. They are collected until all are known; then adjacent calls that {@link Fusion}
 * selects are packed into registered memory, executed as one, and unpacked, and the others are executed one at a time.
 * Reusable, by one thread at a time; allocates only if a group is larger than all before.
 */
public final class CallGroup
{
    private final Session session;
    private final Fusion fusion;
    private final GroupOwner owner;
    private CollectiveCall[] calls = new CollectiveCall[0];
    private int count;

    public CallGroup(final Session session, final Fusion fusion)
    {
        this.session = session;
        this.fusion = fusion;
        owner = session.group();
    }

    /** Whether calls of this thread are collected. */
    public boolean isOpenHere()
    {
        return owner.isOpenHere();
    }

    /**
     * Runs the code that makes the calls, then executes them. A nested group is part of the outer one.
     *
     * @param caller    code that makes the calls.
     * @param timeoutNs timeout of all calls together in nanoseconds.
     */
    public void run(final Runnable caller, final long timeoutNs)
    {
        if (isOpenHere())
        {
            caller.run();
            return;
        }
        session.admission().requireOutsideOperator();
        session.requireOpen();
        if (!owner.tryOpen())
        {
            throw new IllegalStateException(
                "another thread is in a group of this communicator: only one thread at a time may have a group");
        }
        try
        {
            caller.run();
            owner.making();
            make(timeoutNs);
        }
        finally
        {
            clear();
            owner.close();
        }
    }

    /**
     * Returns a new call whose arguments the caller sets; {@link #add} appends it.
     *
     * @param collective collective of the call.
     * @return call without arguments, owned by the group.
     */
    public CollectiveCall next(final Collective collective)
    {
        if (count == calls.length)
        {
            calls = Arrays.copyOf(calls, Math.max(16, 2 * count));
            for (int i = count; i < calls.length; i++)
            {
                calls[i] = new CollectiveCall();
            }
        }
        return calls[count].of(collective);
    }

    /** Appends the call returned by {@link #next}, whose arguments are checked. */
    public void add()
    {
        count++;
    }

    private void clear()
    {
        // The call after the last one may have arguments, too: those of a call that was rejected.
        for (int i = 0; i <= count && i < calls.length; i++)
        {
            calls[i].clear();
        }
        count = 0;
    }

    private void make(final long timeoutNs)
    {
        session.enter(timeoutNs);
        boolean begun = false;
        try
        {
            check();
            int first = 0;
            while (first < count)
            {
                final int end = fusion.end(calls, first, count);
                if (end - first > 1)
                {
                    makeFused(first, end);
                }
                else
                {
                    session.execute(calls[first]);
                }
                begun = true;
                first = end;
            }
        }
        catch (final RuntimeException | Error e)
        {
            if (begun)
            {
                throw session.fail(e);
            }
            throw e;
        }
        finally
        {
            session.leave();
        }
    }

    /** Checks all calls before other ranks see any of them. */
    private void check()
    {
        for (int i = 0; i < count; i++)
        {
            session.requests().requireApart(calls[i]);
        }
        int first = 0;
        while (first < count)
        {
            final int end = fusion.end(calls, first, count);
            requireOpen(calls[first].input());
            requireOpen(calls[first].output());
            if (end - first > 1)
            {
                fusion.requireApart(calls, first, end);
            }
            first = end;
        }
    }

    /** Throws if a buffer was closed after its call was checked. */
    private static void requireOpen(final PooledDataBuffer buffer)
    {
        if (buffer != null)
        {
            buffer.memory();
        }
    }

    private void makeFused(final int first, final int end)
    {
        final CollectiveCall call = calls[first];
        final int rank = session.team().rank();
        long elements = 0;
        for (int i = first; i < end; i++)
        {
            elements += calls[i].count();
        }
        final RegisteredBuffer staged = session.staging().buffer(elements * call.type().size());
        if (call.reads(rank))
        {
            pack(first, end, staged.address());
        }
        session.execute(session.segmentCall().of(call.collective()).op(call.op()).root(call.root())
            .shape(call.type(), elements, null, null).memory(staged, staged));
        try
        {
            if (call.writes(rank))
            {
                unpack(first, end, staged.address());
            }
        }
        catch (final RuntimeException e)
        {
            // The other ranks have completed the calls.
            throw session.fail(e);
        }
    }

    private void pack(final int first, final int end, final long staged)
    {
        long place = staged;
        for (int i = first; i < end; i++)
        {
            calls[i].input().copyIn();
            Memory.copy(calls[i].input().memory().address(), place, calls[i].length());
            place += calls[i].length();
        }
    }

    private void unpack(final int first, final int end, final long staged)
    {
        long place = staged;
        for (int i = first; i < end; i++)
        {
            Memory.copy(place, calls[i].output().memory().address(), calls[i].length());
            calls[i].output().copyOut();
            place += calls[i].length();
        }
    }
}
