/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;

/**
 * Runs collectives on memory that is not registered, through a registered buffer, segment by segment. The buffer is
 * made when it is first needed and grows up to {@link #MAX_LENGTH}, or as long as a call needs that has one segment.
 */
final class Staging
{
    /** The longest segment, in bytes. */
    static final long MAX_LENGTH = 8L << 20;
    private static final long MIN_LENGTH = 64L << 10;

    private final Session session;
    private final CollectiveCall segmentCall = new CollectiveCall();
    private RegisteredBuffer buffer;

    Staging(final Session session)
    {
        this.session = session;
    }

    /**
     * Runs one call, in segments, for a caller that has entered the session. What fails before the first segment was
     * sent has done no harm; what fails later fails the communicator, because the other ranks have begun.
     *
     * @param call whose input segment is null if this rank gives nothing, and its output segment if it gets nothing.
     */
    void run(final CollectiveCall call)
    {
        final DataType type = call.type();
        final long count = call.count();
        final MemorySegment input = call.inputSegment();
        final MemorySegment output = call.outputSegment();
        boolean begun = false;
        try
        {
            long done = 0;
            do
            {
                final long elements = Math.min(count - done, MAX_LENGTH / type.size());
                final long length = elements * type.size();
                final long offset = done * type.size();
                final RegisteredBuffer staged = buffer(length);
                if (input != null)
                {
                    MemorySegment.copy(input, offset, staged.segment(), 0, length);
                }
                session.execute(segmentCall.of(call.collective()).op(call.op()).root(call.root())
                    .shape(type, elements, null, null).memory(staged, staged));
                begun = true;
                if (output != null)
                {
                    MemorySegment.copy(staged.segment(), 0, output, offset, length);
                }
                done += elements;
            }
            while (done < count);
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

    /** Gives the memory back. */
    void close()
    {
        if (buffer != null)
        {
            buffer.close();
        }
    }

    /** At least so many bytes; what was given before is gone. */
    RegisteredBuffer buffer(final long length)
    {
        if (buffer == null || buffer.length() < length)
        {
            if (buffer != null)
            {
                buffer.close();
                buffer = null;
            }
            buffer = session.team().pool().allocate(length <= MIN_LENGTH ? MIN_LENGTH : Math.max(length, MAX_LENGTH));
        }
        return buffer;
    }
}
