/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.schedule.Collective;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;

/**
 * Runs collectives with blocks on memory that is not registered, through a registered buffer: a piece of every block
 * after the other, where all ranks know how long blocks are, and else all at once. Blocks are packed there.
 */
final class BlockStaging
{
    private static final long ALIGNMENT = 64;

    private final Session session;
    private final Staging staging;

    BlockStaging(final Session session, final Staging staging)
    {
        this.session = session;
        this.staging = staging;
    }

    /**
     * Runs one call. What fails before the first piece was sent has done no harm; what fails later fails the
     * communicator, because the other ranks have begun.
     *
     * @param in     the blocks of the input, one if it has none; null where there is no input.
     * @param out    the blocks of the output, one if it has none; null where there is no output.
     * @param blocks of the call; null where this rank does not know them.
     */
    @SuppressWarnings("checkstyle:ParameterNumber")
    void run(
        final Collective collective, final MemorySegment input, final Blocks in,
        final MemorySegment output, final Blocks out, final DataType type, final ReduceOp op, final int root,
        final Blocks blocks, final long timeoutNs)
    {
        session.enter(timeoutNs);
        boolean begun = false;
        try
        {
            final boolean whole = collective.hasOwnBlocks();
            final long longest = whole ? 0 : blocks.longest();
            final int places = session.mesh().size() + 1;
            final long most = whole ? Long.MAX_VALUE : Math.max(1, Staging.MAX_LENGTH / type.size() / (2L * places));
            long done = 0;
            do
            {
                final Blocks inPiece = piece(in, done, most);
                final Blocks outPiece = piece(out, done, most);
                final long inLength = align(total(inPiece) * type.size());
                final RegisteredBuffer staged = staging.buffer(inLength + Math.max(1, total(outPiece)) * type.size());
                copyIn(input, in, inPiece, done, staged, type.size());
                try (RegisteredBuffer from = staged.slice(0, Math.max(1, inLength));
                    RegisteredBuffer to = staged.slice(inLength, Math.max(1, total(outPiece) * type.size())))
                {
                    runPiece(collective, type, op, root, piece(blocks, done, most), inPiece, outPiece, from, to);
                }
                begun = true;
                copyOut(staged, inLength, output, out, outPiece, done, type.size());
                done += most;
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
        finally
        {
            session.leave();
        }
    }

    @SuppressWarnings("checkstyle:ParameterNumber")
    private void runPiece(
        final Collective collective, final DataType type, final ReduceOp op, final int root,
        final Blocks blocks, final Blocks in, final Blocks out,
        final RegisteredBuffer from, final RegisteredBuffer to)
    {
        switch (collective)
        {
            case GATHERV -> session.runEntered(collective, type, op, in.total(), root, blocks, null, from, to);
            case SCATTERV -> session.runEntered(collective, type, op, out.total(), root, blocks, null, from, to);
            case ALLTOALLV -> session.runEntered(collective, type, op, 0, root, in, out, from, to);
            default ->
            {
                final boolean uniform = blocks.isUniform();
                session.runEntered(
                    collective, type, op, uniform ? blocks.longest() : 0, root, uniform ? null : blocks, null,
                    from, to);
            }
        }
    }

    /** A piece of every block, packed. */
    private static Blocks piece(final Blocks blocks, final long done, final long most)
    {
        if (blocks == null)
        {
            return null;
        }
        if (blocks.isUniform())
        {
            return Blocks.uniform(blocks.number(), Math.clamp(blocks.longest() - done, 0, most));
        }
        return Blocks.of(LongStream.range(0, blocks.number())
            .map(block -> Math.clamp(blocks.length((int)block) - done, 0, most)).toArray());
    }

    private static void copyIn(
        final MemorySegment input, final Blocks blocks, final Blocks piece, final long done,
        final RegisteredBuffer staged, final int elementSize)
    {
        for (int block = 0; blocks != null && block < blocks.number(); block++)
        {
            if (piece.length(block) > 0)
            {
                MemorySegment.copy(
                    input, (blocks.offset(block) + done) * elementSize,
                    staged.segment(), piece.offset(block) * elementSize, piece.length(block) * elementSize);
            }
        }
    }

    private static void copyOut(
        final RegisteredBuffer staged, final long from, final MemorySegment output, final Blocks blocks,
        final Blocks piece, final long done, final int elementSize)
    {
        for (int block = 0; blocks != null && block < blocks.number(); block++)
        {
            if (piece.length(block) > 0)
            {
                MemorySegment.copy(
                    staged.segment(), from + piece.offset(block) * elementSize,
                    output, (blocks.offset(block) + done) * elementSize, piece.length(block) * elementSize);
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
