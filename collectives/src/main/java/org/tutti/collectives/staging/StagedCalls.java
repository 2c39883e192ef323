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

import java.lang.foreign.MemorySegment;
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
    /** The maximum length of a call that is staged as a whole although it could be divided, in bytes. */
    private static final long MAX_WHOLE = 1L << 20;
    /** The length of a segment of a longer call, in bytes: the ring fits into the L2 cache of a core. */
    private static final long SEGMENT_LENGTH = 128L << 10;
    /** The same if messages pass through queue pairs, where each segment pays for the latency of a network. */
    private static final long MAX_WHOLE_INDIRECT = 8L << 20;
    private static final long SEGMENT_LENGTH_INDIRECT = 4L << 20;

    private final Session session;
    private final int ranks;
    private final long maxWhole;
    private final long segmentLength;
    private final StagedBuffers buffers = new StagedBuffers();
    private final StagedBlocks blocks = new StagedBlocks();
    private final StagingAgreement agreement;
    private boolean hasBegun;
    private final CollectiveCall[] segments = new CollectiveCall[StagingBuffer.SLOTS];

    /** Creates the staged calls of a communicator. */
    public StagedCalls(final Session session)
    {
        this.session = session;
        ranks = session.team().size();
        final boolean isDirect = session.team().isDirect();
        maxWhole = isDirect ? MAX_WHOLE : MAX_WHOLE_INDIRECT;
        segmentLength = isDirect ? SEGMENT_LENGTH : SEGMENT_LENGTH_INDIRECT;
        agreement = new StagingAgreement(session);
        Arrays.setAll(segments, i -> new CollectiveCall());
    }

    /**
     * Runs a call on unregistered memory. A failure before the other ranks have begun leaves the communicator usable; a
     * later one fails it.
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
        final boolean isLong = isLong(call);
        if (isLong && !agreement.isStaged(call, call.isStaged()) && !call.isStaged())
        {
            session.execute(call);
            return;
        }
        try
        {
            unregister(call, isLong);
            stage(call, isLong);
        }
        finally
        {
            call.clear();
        }
    }

    private void unregister(final CollectiveCall call, final boolean hasBegun)
    {
        try
        {
            SegmentChecks.unregister(call, session.team().rank(), ranks);
        }
        catch (final RuntimeException e)
        {
            throw hasBegun ? session.fail(e) : e;
        }
    }

    /** Returns whether a call is divided into segments if any rank stages it; all ranks get the same answer. */
    private boolean isLong(final CollectiveCall call)
    {
        return ranks > 1 && call.isLongerThan(maxWhole, ranks);
    }

    private void stage(final CollectiveCall call, final boolean isLong)
    {
        // Before a long call, ranks have exchanged their kinds of memory.
        hasBegun = isLong;
        try
        {
            final long most = isLong ? segmentLength : Long.MAX_VALUE;
            final StagedCall staged = call.hasBlocks() ? blocks.of(call, most) : buffers.of(call, most);
            if (isLong)
            {
                pass(staged);
            }
            else
            {
                runWhole(staged);
            }
        }
        catch (final RuntimeException | Error e)
        {
            if (hasBegun || Failures.isMemoryFault(e))
            {
                throw session.fail(causeOf(e, call));
            }
            throw e;
        }
        finally
        {
            buffers.clear();
            blocks.clear();
        }
    }

    /** Returns the cause of a failure; if another thread has freed memory of the call, an exception that says which. */
    private static Throwable causeOf(final Throwable thrown, final CollectiveCall call)
    {
        final boolean isInput = isFreed(call.inputSegment());
        return !(thrown instanceof IllegalStateException) || (!isInput && !isFreed(call.outputSegment())) ? thrown :
            new IllegalStateException((isInput ? "input" : "output") +
            " was freed during the call: close its arena after the call", thrown);
    }

    private static boolean isFreed(final MemorySegment memory)
    {
        return memory != null && !memory.scope().isAlive();
    }

    private void runWhole(final StagedCall staged)
    {
        final RegisteredBuffer memory = session.staging().buffer(staged.stagedLength());
        staged.copyIn(0, memory, segments[0]);
        hasBegun = true;
        session.execute(segments[0]);
        staged.copyOut(0, memory);
    }

    /** Passes all segments through the ring. */
    private void pass(final StagedCall staged)
    {
        final long number = staged.segments();
        final long length = staged.stagedLength();
        final StagingBuffer ring = session.staging();
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
}
