/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.staging;

import org.tutti.collectives.DataType;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.util.Memory;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.stream.LongStream;

/**
 * A staged call with blocks, which are packed in registered memory: one segment of every block at a time if all ranks
 * know the lengths of the blocks, else all at once.
 */
final class StagedBlocks implements StagedCall
{
    private static final long ALIGNMENT = 64;
    /** The minimum length of a segment of a long block in bytes: shorter ones cost more than they save. */
    private static final long MIN_SEGMENT_LENGTH = 16 << 10;

    private CollectiveCall call;
    private long segmentCount;
    private long inLength;
    private long outLength;

    /**
     * Sets the call.
     *
     * @param staged    call with blocks that are staged.
     * @param maxLength maximum length of a segment of all blocks together in bytes; exceeded if there are many blocks.
     */
    StagedBlocks of(final CollectiveCall staged, final long maxLength)
    {
        call = staged;
        segmentCount = staged.collective().hasLocalCounts() ? Long.MAX_VALUE :
            Math.clamp(staged.blocks().longest(), 1, Math.max(1, blockLength(maxLength) / staged.type().size()));
        // The first segment is the longest.
        inLength = align(total(segment(staged.inputBlocks(), 0)) * staged.type().size());
        outLength = Math.max(1, total(segment(staged.outputBlocks(), 0)) * staged.type().size());
        return this;
    }

    /** Returns the maximum length of a segment of each block; the same on all ranks, whatever buffers they have. */
    private long blockLength(final long maxLength)
    {
        final int ranks = call.blocks().number();
        return Math.max(MIN_SEGMENT_LENGTH, maxLength / (call.collective().exchanges() ? 2 * ranks : ranks + 1));
    }

    @Override
    public long segments()
    {
        return call.collective().hasLocalCounts() ? 1 :
            Math.max(1, Math.ceilDiv(call.blocks().longest(), segmentCount));
    }

    @Override
    public long stagedLength()
    {
        return inLength + outLength;
    }

    /** Returns a segment of every block, placed one after another. */
    private Blocks segment(final Blocks blocks, final long segment)
    {
        if (blocks == null)
        {
            return null;
        }
        final long done = segment == 0 ? 0 : segment * segmentCount;
        if (blocks.isUniform())
        {
            return Blocks.uniform(blocks.number(), Math.clamp(blocks.longest() - done, 0, segmentCount));
        }
        return Blocks.of(LongStream.range(0, blocks.number())
            .map(block -> Math.clamp(blocks.length((int)block) - done, 0, segmentCount)).toArray());
    }

    @Override
    public void copyIn(final long segment, final RegisteredBuffer staged, final CollectiveCall of)
    {
        final Blocks in = segment(call.inputBlocks(), segment);
        final int size = call.type().size();
        for (int block = 0; in != null && block < in.number(); block++)
        {
            if (in.length(block) > 0)
            {
                Memory.copy(
                    call.inputSegment(), start(call.inputBlocks(), block, segment),
                    Memory.ALL, staged.address() + in.offset(block) * size, in.length(block) * size);
            }
        }
        shape(of, segment, in).memory(staged.slice(0, Math.max(1, inLength)), staged.slice(inLength, outLength));
    }

    private CollectiveCall shape(final CollectiveCall of, final long segment, final Blocks in)
    {
        of.of(call.collective()).op(call.op()).root(call.root());
        final DataType type = call.type();
        final Blocks blocks = segment(call.blocks(), segment);
        if (!call.collective().hasLocalCounts())
        {
            return blocks.isUniform() ? of.shape(type, blocks.longest(), null, null) : of.shape(type, 0, blocks, null);
        }
        final Blocks out = segment(call.outputBlocks(), segment);
        return call.collective().exchanges() ? of.shape(type, 0, in, out) :
            of.shape(type, (call.collective().gathers() ? in : out).total(), blocks, null);
    }

    @Override
    public void copyOut(final long segment, final RegisteredBuffer staged)
    {
        final Blocks out = segment(call.outputBlocks(), segment);
        final int size = call.type().size();
        for (int block = 0; out != null && block < out.number(); block++)
        {
            if (out.length(block) > 0)
            {
                Memory.copy(
                    Memory.ALL, staged.address() + inLength + out.offset(block) * size,
                    call.outputSegment(), start(call.outputBlocks(), block, segment), out.length(block) * size);
            }
        }
    }

    /** Returns where a segment of a block starts in the caller's memory, in bytes. */
    private long start(final Blocks blocks, final int block, final long segment)
    {
        return (blocks.offset(block) + (segment == 0 ? 0 : segment * segmentCount)) * call.type().size();
    }

    @Override
    public void clear()
    {
        call = null;
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
