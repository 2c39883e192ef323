/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.staging;

import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.exec.SegmentChecks;
import org.tutti.collectives.exec.StagingBuffer;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.util.Failures;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.Arrays;

/**
 * Executes blocking calls on unregistered memory: short ones as a whole, through a staging buffer; long ones in
 * segments that pass through a ring of slots, so that a rank copies the input of one segment and the output of another
 * while the peers work on those in between. A segment stays in the cache of a core from the first copy to the last.
 * <p>
 * A long call is divided on all ranks if any rank stages it, so ranks with registered memory take part in the same way
 * (docs/adr/0041). Not thread-safe; used by a thread that has entered the session.
 */
public final class StagedCalls
{
    private final Session session;
    private final int ranks;
    private final StagedBuffers buffers = new StagedBuffers();
    private final StagedBlocks blocks = new StagedBlocks();
    private final StagingAgreement agreement;
    private final CollectiveCall[] segments = new CollectiveCall[StagingBuffer.SLOTS];

    /** Creates the staged calls of a communicator. */
    public StagedCalls(final Session session)
    {
        this.session = session;
        ranks = session.team().size();
        agreement = new StagingAgreement(session);
        Arrays.setAll(segments, i -> new CollectiveCall());
    }

    /**
     * Runs a call on unregistered memory. A failure before the first segment is sent leaves the communicator usable; a
     * later one fails it, because the other ranks have begun.
     */
    public void run(final CollectiveCall call)
    {
        final boolean isLong = isLong(call);
        if (isLong)
        {
            agreement.isStaged(call, true);
        }
        stage(call, isLong);
    }

    /** Returns whether a checked call on buffers is executed as a whole on all ranks, and not staged on this one. */
    public boolean isWhole(final CollectiveCall call)
    {
        return !call.isStaged() && !isLong(call);
    }

    /**
     * Runs a checked call on buffers that is not {@linkplain #isWhole whole}: it is staged if peers cannot access its
     * memory, or if another rank stages it.
     */
    public void runBuffers(final CollectiveCall call)
    {
        if (call.isStaged())
        {
            runUnregistered(call);
        }
        else if (agreement.isStaged(call, false))
        {
            unregister(call);
            stage(call, true);
        }
        else
        {
            session.execute(call);
        }
    }

    private void runUnregistered(final CollectiveCall call)
    {
        try
        {
            unregister(call);
            run(call);
        }
        finally
        {
            call.clear();
        }
    }

    private void unregister(final CollectiveCall call)
    {
        SegmentChecks.unregister(call, session.team().rank(), ranks);
    }

    /** Returns whether a call is divided into segments if any rank stages it; all ranks get the same answer. */
    private boolean isLong(final CollectiveCall call)
    {
        return ranks > 1 && call.isLongerThan(StagingBuffer.MAX_WHOLE, ranks);
    }

    private void stage(final CollectiveCall call, final boolean isLong)
    {
        final long most = isLong ? StagingBuffer.SEGMENT_LENGTH : Long.MAX_VALUE;
        final StagedCall staged = call.hasBlocks() ? blocks.of(call, most) : buffers.of(call, most);
        try
        {
            if (isLong)
            {
                pass(staged);
            }
            else
            {
                runWhole(staged);
            }
        }
        finally
        {
            staged.clear();
        }
    }

    private void runWhole(final StagedCall staged)
    {
        final RegisteredBuffer memory = session.staging().buffer(staged.stagedLength());
        boolean begun = false;
        try
        {
            staged.copyIn(0, memory, segments[0]);
            begun = true;
            session.execute(segments[0]);
            staged.copyOut(0, memory);
        }
        catch (final RuntimeException | Error e)
        {
            if (begun || Failures.isMemoryFault(e))
            {
                throw session.fail(e);
            }
            throw e;
        }
    }

    /** Passes all segments through the ring. */
    private void pass(final StagedCall staged)
    {
        final long number = staged.segments();
        final long length = staged.stagedLength();
        final StagingBuffer ring = session.staging();
        try
        {
            for (long begun = 0; begun < number + StagingBuffer.SLOTS; begun++)
            {
                final int index = (int)(begun % StagingBuffer.SLOTS);
                final long done = begun - StagingBuffer.SLOTS;
                if (done >= 0 && done < number)
                {
                    session.finish(segments[index]);
                    staged.copyOut(done, ring.slot(index, length));
                }
                if (begun < number)
                {
                    staged.copyIn(begun, ring.slot(index, length), segments[index]);
                    session.begin(segments[index]);
                }
            }
        }
        catch (final RuntimeException | Error e)
        {
            throw session.fail(e);
        }
    }
}
