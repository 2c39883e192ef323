/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.ArrayList;
import java.util.List;

/**
 * How blocks reach all ranks in PAT: each rank's block goes down a binomial tree, and all these trees are equal but for
 * a rotation. The <i>offset</i> of a block at a rank is the distance from the rank that it belongs to. The aggregated
 * trees, whose roots are evenly spaced, are traversed together: first the blocks reach these roots, the most distant
 * first, then the subtree of each, {@code n / aggregation} offsets, in depth-first order. A rank stores only the blocks
 * on the current path: one <i>slot</i> for the roots, and one for each power of two below them.
 * <p>
 * A slot holds the blocks of a <i>node</i>, the same node of every tree. Their <i>positions</i> are in the order in
 * which the roots are reached, so that blocks that move together are contiguous. Immutable.
 */
public final class AggregatedTrees
{
    /**
     * Blocks that every rank sends together to the rank at a distance.
     *
     * @param distance   distance in ranks.
     * @param isFirst    whether it is the first run of its hop, which may have two.
     * @param slot       source slot.
     * @param node       source node.
     * @param position   position of the first block in the source slot.
     * @param toSlot     destination slot.
     * @param toNode     destination node.
     * @param toPosition position of the first block in the destination slot.
     * @param count      number of blocks.
     */
    public record Run(
        int distance, boolean isFirst, int slot, int node, int position, int toSlot, int toNode, int toPosition,
        int count)
    {
    }

    private final int size;
    private final int treeSize;
    private final int[] order;
    private final List<Run> runs = new ArrayList<>();
    private int last;

    /**
     * Builds the trees.
     *
     * @param size        number of ranks, at least 2.
     * @param aggregation maximum number of trees, at least 1.
     */
    public AggregatedTrees(final int size, final long aggregation)
    {
        this.size = size;
        final int all = Integer.highestOneBit(size - 1) << 1;
        final int trees = Math.clamp(Long.highestOneBit(aggregation), 1, all);
        treeSize = all / trees;
        order = new int[Math.ceilDiv(size, treeSize)];
        spread(trees);
        descend(0, treeSize);
    }

    /**
     * Returns the runs in order. A rank sends only blocks that earlier runs brought, or its own.
     *
     * @return list, never empty; the first run is this rank's own block alone.
     */
    public List<Run> runs()
    {
        return runs;
    }

    /**
     * Returns the number of trees, which is the number of positions of a slot.
     *
     * @return trees, at least 1.
     */
    public int trees()
    {
        return order.length;
    }

    /**
     * Returns the number of slots.
     *
     * @return slots, at least 1.
     */
    public int slots()
    {
        return 1 + Integer.numberOfTrailingZeros(treeSize);
    }

    /**
     * Returns the position of the most distant root, the only one that may have no block of a node.
     *
     * @return position, from 0.
     */
    public int last()
    {
        return last;
    }

    /**
     * Returns the distance of a block from the rank that it belongs to.
     *
     * @param node     node in its tree.
     * @param position position of the tree.
     * @return distance in ranks; at least the size if there is no such block.
     */
    public int offset(final int node, final int position)
    {
        return order[position] * treeSize + node;
    }

    /** Moves blocks to the roots: in each step half the distance, from every root reached so far. */
    private void spread(final int trees)
    {
        int reached = 1;
        for (int step = trees / 2; step >= 1; step /= 2)
        {
            final int before = reached;
            int missing = before;
            for (int position = 0; position < before; position++)
            {
                if (order[position] + step < order.length)
                {
                    order[reached] = order[position] + step;
                    last = order[reached] == order.length - 1 ? reached : last;
                    reached++;
                }
                else
                {
                    missing = position;
                }
            }
            add(step * treeSize, new Run(0, false, 0, 0, 0, 0, 0, before, before), missing);
        }
    }

    private void descend(final int node, final int unit)
    {
        for (int step = unit / 2; step >= 1; step /= 2)
        {
            final int child = node + step;
            if (child < size)
            {
                final boolean isShort = offset(child, last) >= size;
                add(step, new Run(0, false, slot(node), node, 0, slot(child), child, 0, trees()),
                    isShort ? last : trees());
                descend(child, step);
            }
        }
    }

    /** Adds the positions of a run without the missing one; the positions after it move up if they are new. */
    private void add(final int distance, final Run whole, final int missing)
    {
        final boolean isNew = whole.slot() == whole.toSlot();
        if (missing > 0)
        {
            runs.add(new Run(distance, true, whole.slot(), whole.node(), 0, whole.toSlot(), whole.toNode(),
                whole.toPosition(), Math.min(missing, whole.count())));
        }
        final int rest = whole.count() - missing - 1;
        if (rest > 0)
        {
            runs.add(new Run(distance, missing == 0, whole.slot(), whole.node(), missing + 1, whole.toSlot(),
                whole.toNode(), whole.toPosition() + missing + (isNew ? 0 : 1), rest));
        }
    }

    private static int slot(final int node)
    {
        return node == 0 ? 0 : 1 + Integer.numberOfTrailingZeros(node);
    }
}
