/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.staging;

import org.tutti.collectives.DataType;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.exec.StagingBuffer;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.util.Failures;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;

/** Runs collectives on unregistered memory through a {@link StagingBuffer}, segment by segment. */
public final class Staging
{
    private Staging()
    {
    }

    /**
     * Runs one call in segments for a caller that has entered the session. A failure before the first segment is sent
     * leaves the communicator usable; a later one fails it, because the other ranks have begun.
     *
     * @param session session that the caller has entered.
     * @param call    call whose input segment is null if this rank has no input, and whose output segment is null if it
     *                has no output.
     */
    public static void run(final Session session, final CollectiveCall call)
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
                final long elements = Math.min(count - done, StagingBuffer.MAX_LENGTH / type.size());
                final long length = elements * type.size();
                final long offset = done * type.size();
                final RegisteredBuffer staged = session.staging().buffer(length);
                if (input != null)
                {
                    MemorySegment.copy(input, offset, staged.segment(), 0, length);
                }
                session.execute(session.segmentCall().of(call.collective()).op(call.op()).root(call.root())
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
}
