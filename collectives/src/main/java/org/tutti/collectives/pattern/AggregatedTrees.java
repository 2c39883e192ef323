/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.ArrayList;
import java.util.List;

/**
 * How a block goes from its rank to all others down a binomial tree, which is the same for every rank but for a
 * rotation. What a rank has of the rank {@code d} before it has the <i>offset</i> {@code d}. So many trees as are
 * aggregated, their roots evenly spread, are walked at once: first the blocks reach these roots, farthest first, then
 * what is below each, {@code n / aggregation} offsets, in the order of a depth-first search. A rank need keep only what
 * lies on the path that is walked: one <i>slot</i> for the roots, and one for each power of two below them.
 * <p>
 * In a slot are the blocks of a <i>node</i>, the same one of every tree. Its <i>positions</i> are in the order in which
 * roots are reached, so that what goes together lies together. Immutable.
 */
public final class AggregatedTrees
{
    /**
     * Blocks that go together, from every rank to the one so much further.
     *
     * @param distance   distance.
     * @param isFirst    whether it is the first of those that go the same way at once: at times there are two.
     * @param slot       slot of the elements.
     * @param node       node.
     * @param position   the first of them.
     * @param toSlot     destination slot.
     * @param toNode     node after the move.
     * @param toPosition the first of them there.
     * @param count      number of elements.
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
     * Plants the trees.
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
     * What goes where, in order; a rank has what it sends from runs before, or it is its own.
     *
     * @return never empty; the first one is this rank's own block alone.
     */
    public List<Run> runs()
    {
        return runs;
    }

    /**
     * How many trees there are: the positions of a slot.
     *
     * @return at least 1.
     */
    public int trees()
    {
        return order.length;
    }

    /**
     * How many slots there are.
     *
     * @return at least 1.
     */
    public int slots()
    {
        return 1 + Integer.numberOfTrailingZeros(treeSize);
    }

    /**
     * The position of the farthest root: the only one that may have no block of a node.
     *
     * @return from 0.
     */
    public int last()
    {
        return last;
    }

    /**
     * From how far before a rank a block is.
     *
     * @param node     node in its tree.
     * @param position the tree.
     * @return at least the size, if there is none.
     */
    public int offset(final int node, final int position)
    {
        return order[position] * treeSize + node;
    }

    /** Brings blocks to the roots: from every other one of those that have them to the next, ever nearer. */
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

    /** Adds the positions of a run, without the one that is missing; then those after it move up if they are new. */
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
