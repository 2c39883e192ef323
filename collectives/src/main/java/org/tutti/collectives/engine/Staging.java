/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.schedule.Collective;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;

/**
 * Runs collectives on memory that is not registered, through a registered buffer, piece by piece. The buffer is made
 * when it is first needed and grows up to {@link #MAX_LENGTH}, or as long as a call needs that has one piece.
 */
final class Staging
{
    /** The longest piece. */
    static final long MAX_LENGTH = 8L << 20;
    private static final long MIN_LENGTH = 64L << 10;

    private final Session session;
    private RegisteredBuffer buffer;

    Staging(final Session session)
    {
        this.session = session;
    }

    /**
     * Runs one call. What fails before the first piece was sent has done no harm; what fails later fails the
     * communicator, because the other ranks have begun.
     *
     * @param input  what this rank gives, or null.
     * @param output what it gets, or null.
     */
    @SuppressWarnings("checkstyle:ParameterNumber")
    void run(
        final Collective collective, final MemorySegment input, final MemorySegment output, final long count,
        final DataType type, final ReduceOp op, final int root, final long timeoutNs)
    {
        session.enter(timeoutNs);
        boolean begun = false;
        try
        {
            long done = 0;
            do
            {
                final long piece = Math.min(count - done, MAX_LENGTH / type.size());
                final long length = piece * type.size();
                final long offset = done * type.size();
                final RegisteredBuffer staged = buffer(length);
                if (input != null)
                {
                    MemorySegment.copy(input, offset, staged.segment(), 0, length);
                }
                session.runEntered(collective, type, op, piece, root, null, null, staged, staged);
                begun = true;
                if (output != null)
                {
                    MemorySegment.copy(staged.segment(), 0, output, offset, length);
                }
                done += piece;
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
        finally
        {
            session.leave();
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
            buffer = session.mesh().pool().allocate(length <= MIN_LENGTH ? MIN_LENGTH : Math.max(length, MAX_LENGTH));
        }
        return buffer;
    }
}
