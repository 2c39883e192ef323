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
 * when it is first needed and grows up to {@link #MAX_LENGTH}.
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

    void allreduce(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type,
        final ReduceOp op, final long timeoutNs)
    {
        session.enter(timeoutNs);
        try
        {
            long done = 0;
            do
            {
                final long piece = Math.min(count - done, MAX_LENGTH / type.size());
                final long length = piece * type.size();
                final long offset = done * type.size();
                final RegisteredBuffer staged = buffer(length);
                MemorySegment.copy(input, offset, staged.segment(), 0, length);
                session.runEntered(Collective.ALLREDUCE, type, op, piece, 0, staged, staged);
                MemorySegment.copy(staged.segment(), 0, output, offset, length);
                done += piece;
            }
            while (done < count);
        }
        finally
        {
            session.leave();
        }
    }

    void broadcast(
        final MemorySegment memory, final long count, final DataType type, final int root, final long timeoutNs)
    {
        final boolean isRoot = session.mesh().rank() == root;
        session.enter(timeoutNs);
        try
        {
            long done = 0;
            do
            {
                final long piece = Math.min(count - done, MAX_LENGTH / type.size());
                final long length = piece * type.size();
                final long offset = done * type.size();
                final RegisteredBuffer staged = buffer(length);
                if (isRoot)
                {
                    MemorySegment.copy(memory, offset, staged.segment(), 0, length);
                }
                session.runEntered(Collective.BROADCAST, type, null, piece, root, staged, staged);
                if (!isRoot)
                {
                    MemorySegment.copy(staged.segment(), 0, memory, offset, length);
                }
                done += piece;
            }
            while (done < count);
        }
        finally
        {
            session.leave();
        }
    }

    private RegisteredBuffer buffer(final long length)
    {
        if (buffer == null || buffer.length() < length)
        {
            if (buffer != null)
            {
                buffer.close();
                buffer = null;
            }
            buffer = session.mesh().pool().allocate(length <= MIN_LENGTH ? MIN_LENGTH : MAX_LENGTH);
        }
        return buffer;
    }
}
