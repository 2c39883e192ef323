/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.staging;

import org.tutti.collectives.DataType;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.exec.StagingBuffer;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.util.Failures;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;

/**
 * Runs collectives with blocks on unregistered memory, through a registered buffer in which blocks are packed: one
 * segment of every block at a time if all ranks know the lengths of the blocks, else all at once.
 */
public final class BlockStaging
{
    private static final long ALIGNMENT = 64;

    private BlockStaging()
    {
    }

    /**
     * Runs one call for a caller that has entered the session. A failure before the first segment is sent leaves the
     * communicator usable; a later one fails it, because the other ranks have begun.
     *
     * @param session session that the caller has entered.
     * @param call    call with blocks that are staged.
     */
    public static void run(final Session session, final CollectiveCall call)
    {
        final Blocks in = call.inputBlocks();
        final Blocks out = call.outputBlocks();
        final int size = call.type().size();
        final boolean isWhole = call.collective().hasLocalCounts();
        final long longest = isWhole ? 0 : call.blocks().longest();
        final int parts = session.team().size() + 1;
        final long maxElements = isWhole ? Long.MAX_VALUE : Math.max(1, StagingBuffer.MAX_LENGTH / size / (2L * parts));
        boolean begun = false;
        try
        {
            long done = 0;
            do
            {
                final Blocks inSegment = segment(in, done, maxElements);
                final Blocks outSegment = segment(out, done, maxElements);
                final long inLength = align(total(inSegment) * size);
                final long outLength = Math.max(1, total(outSegment)) * size;
                final RegisteredBuffer staged = session.staging().buffer(inLength + outLength);
                copyIn(call, inSegment, done, staged);
                try (RegisteredBuffer from = staged.slice(0, Math.max(1, inLength));
                    RegisteredBuffer to = staged.slice(inLength, outLength))
                {
                    final Blocks blocks = segment(call.blocks(), done, maxElements);
                    session.execute(
                        shape(session.segmentCall(), call, blocks, inSegment, outSegment).memory(from, to));
                }
                begun = true;
                copyOut(call, outSegment, done, staged, inLength);
                done += maxElements;
            }
            while (done < longest);
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

    private static CollectiveCall shape(
        final CollectiveCall segment, final CollectiveCall call, final Blocks blocks, final Blocks in, final Blocks out)
    {
        segment.of(call.collective()).op(call.op()).root(call.root());
        final DataType type = call.type();
        if (!call.collective().hasLocalCounts())
        {
            return blocks.isUniform() ? segment.shape(type, blocks.longest(), null, null) :
                segment.shape(type, 0, blocks, null);
        }
        return call.collective().exchanges() ? segment.shape(type, 0, in, out) :
            segment.shape(type, (call.collective().gathers() ? in : out).total(), blocks, null);
    }

    /** Returns the next segment of every block, placed one after another. */
    private static Blocks segment(final Blocks blocks, final long done, final long maxElements)
    {
        if (blocks == null)
        {
            return null;
        }
        if (blocks.isUniform())
        {
            return Blocks.uniform(blocks.number(), Math.clamp(blocks.longest() - done, 0, maxElements));
        }
        return Blocks.of(LongStream.range(0, blocks.number())
            .map(block -> Math.clamp(blocks.length((int)block) - done, 0, maxElements)).toArray());
    }

    private static void copyIn(
        final CollectiveCall call, final Blocks segment, final long done, final RegisteredBuffer staged)
    {
        final Blocks blocks = call.inputBlocks();
        final int size = call.type().size();
        for (int block = 0; blocks != null && block < blocks.number(); block++)
        {
            if (segment.length(block) > 0)
            {
                MemorySegment.copy(
                    call.inputSegment(), (blocks.offset(block) + done) * size,
                    staged.segment(), segment.offset(block) * size, segment.length(block) * size);
            }
        }
    }

    private static void copyOut(
        final CollectiveCall call, final Blocks segment, final long done, final RegisteredBuffer staged,
        final long from)
    {
        final Blocks blocks = call.outputBlocks();
        final int size = call.type().size();
        for (int block = 0; blocks != null && block < blocks.number(); block++)
        {
            if (segment.length(block) > 0)
            {
                MemorySegment.copy(
                    staged.segment(), from + segment.offset(block) * size,
                    call.outputSegment(), (blocks.offset(block) + done) * size, segment.length(block) * size);
            }
        }
    }

    private static long total(final Blocks blocks)
    {
        return blocks == null ? 0 : blocks.total();
    }

    private static long align(final long length)
    {
        return (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
