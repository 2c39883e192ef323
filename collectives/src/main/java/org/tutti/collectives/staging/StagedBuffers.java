/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.staging;

import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.util.Memory;
import org.tutti.rdma.memory.RegisteredBuffer;

/** A staged call whose buffers are not divided into blocks. Allocates nothing. */
final class StagedBuffers implements StagedCall
{
    private CollectiveCall call;
    private long segmentCount;

    /**
     * Sets the call.
     *
     * @param staged    call whose input segment is null if this rank has no input, and whose output segment is null if
     *                  it has no output.
     * @param maxLength maximum length of a segment in bytes, at least the size of an element.
     */
    StagedBuffers of(final CollectiveCall staged, final long maxLength)
    {
        call = staged;
        segmentCount = Math.clamp(staged.count(), 1, maxLength / staged.type().size());
        return this;
    }

    @Override
    public long segments()
    {
        return Math.max(1, Math.ceilDiv(call.count(), segmentCount));
    }

    @Override
    public long stagedLength()
    {
        return segmentCount * call.type().size();
    }

    private long count(final long segment)
    {
        return Math.min(segmentCount, call.count() - segment * segmentCount);
    }

    @Override
    public void copyIn(final long segment, final RegisteredBuffer staged, final CollectiveCall of)
    {
        final long count = count(segment);
        if (call.inputSegment() != null)
        {
            Memory.copy(call.inputSegment(), segment * stagedLength(), Memory.ALL, staged.address(),
                count * call.type().size());
        }
        of.of(call.collective()).op(call.op()).root(call.root()).shape(call.type(), count, null, null)
            .memory(staged, staged);
    }

    @Override
    public void copyOut(final long segment, final RegisteredBuffer staged)
    {
        if (call.outputSegment() != null)
        {
            Memory.copy(Memory.ALL, staged.address(), call.outputSegment(), segment * stagedLength(),
                count(segment) * call.type().size());
        }
    }

    @Override
    public void clear()
    {
        call = null;
    }
}
