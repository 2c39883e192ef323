/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.AggregatedTrees;
import org.tutti.collectives.pattern.BlockSegments;
import org.tutti.collectives.schedule.ScheduleRequest;

/** Layout in SCRATCH of the blocks that move along {@link AggregatedTrees}: packed in slots without gaps. */
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

    /** Length of all slots together, in elements. */
    long length()
    {
        return trees.slots() * slot;
    }

    /** The rank that the block at a position belongs to. */
    int block(final int rank, final int node, final int position)
    {
        return Math.floorMod(rank - trees.offset(node, position), size);
    }

    /** Whether there is a block at a position. */
    boolean isThere(final int node, final int position)
    {
        return trees.offset(node, position) < size;
    }

    long length(final int segment, final int rank, final int node, final int position)
    {
        return isThere(node, position) ? segments.length(segment, block(rank, node, position)) : 0;
    }

    /** Offset, in the slots, of a rank's copy of the block at a position. */
    long offset(final int segment, final int rank, final int ofSlot, final int node, final int position)
    {
        return ofSlot * slot + length(segment, rank, node, 0, position);
    }

    /**
     * Offset, behind the slots, at which the blocks of a run arrive: the same on all ranks, regardless of their blocks.
     */
    long arrivalOffset(final AggregatedTrees.Run run)
    {
        return length() + run.toSlot() * slot + run.toPosition() * (slot / trees.trees());
    }

    /** Length of the blocks at several positions together. */
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

    /** Whether one of the positions has no block; at most one of them has none. */
    private boolean missing(final int node, final int first, final int count)
    {
        return !isThere(node, trees.last()) && first <= trees.last() && trees.last() < first + count;
    }
}
