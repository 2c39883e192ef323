/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.AggregatedTrees;
import org.tutti.collectives.pattern.BlockSegments;
import org.tutti.collectives.schedule.ScheduleRequest;

/** Where in SCRATCH the blocks are that go along {@link AggregatedTrees}: packed in slots without gaps. */
final class PatBlocks
{
    final AggregatedTrees trees;
    final BlockSegments segments;
    private final int size;
    private final long slot;

    PatBlocks(final ScheduleRequest request)
    {
        size = request.size();
        segments = new BlockSegments(request.blocks(), request.segment());
        final long longest = Math.min(request.segment(), request.blocks().longest());
        trees = new AggregatedTrees(size, request.segment() / Math.max(1, longest));
        slot = trees.trees() * longest;
    }

    /** All slots together, in elements. */
    long length()
    {
        return trees.slots() * slot;
    }

    /** The rank whose block is at a position. */
    int block(final int rank, final int node, final int position)
    {
        return Math.floorMod(rank - trees.offset(node, position), size);
    }

    /** Whether there is one. */
    boolean isThere(final int node, final int position)
    {
        return trees.offset(node, position) < size;
    }

    long length(final int segment, final int rank, final int node, final int position)
    {
        return isThere(node, position) ? segments.length(segment, block(rank, node, position)) : 0;
    }

    /** Where a rank has the block of a position, in the slots. */
    long offset(final int segment, final int rank, final int ofSlot, final int node, final int position)
    {
        return ofSlot * slot + length(segment, rank, node, 0, position);
    }

    /** Where, behind the slots, is room for what a run brings: as all ranks know it, whatever their blocks. */
    long arrivalOffset(final AggregatedTrees.Run run)
    {
        return length() + run.toSlot() * slot + run.toPosition() * (slot / trees.trees());
    }

    /** How long the blocks of some positions are together. */
    long length(final int segment, final int rank, final int node, final int first, final int count)
    {
        if (segments.blocks().isUniform())
        {
            final boolean isShort = first < trees.trees() && count > 0 && missing(node, first, count);
            return (count - (isShort ? 1 : 0)) * segments.length(segment, 0);
        }
        long length = 0;
        for (int position = first; position < first + count; position++)
        {
            length += length(segment, rank, node, position);
        }
        return length;
    }

    /** Whether one of the positions has no block: at most one has none. */
    private boolean missing(final int node, final int first, final int count)
    {
        return !isThere(node, trees.last()) && first <= trees.last() && trees.last() < first + count;
    }
}
