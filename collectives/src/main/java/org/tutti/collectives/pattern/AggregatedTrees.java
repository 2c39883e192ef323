/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.ArrayList;
import java.util.List;

/**
 * How blocks reach all ranks in PAT (parallel aggregated trees): each rank's block goes down a binomial tree, and the
 * trees of all ranks are equal except for a rotation. The <i>offset</i> of a block at a rank is the distance from the
 * rank that the block belongs to. The binomial tree is cut into smaller trees of about {@code n / aggregation}
 * consecutive offsets, so their roots are evenly spaced. Blocks first reach all these roots, with the longest hops
 * first; then they go down all the smaller trees at the same time, in depth-first order. A rank stores only the blocks
 * on the current path: in one <i>slot</i> for the roots, and one per power of two that is less than the size of a
 * smaller tree.
 * <p>
 * A slot holds the blocks of one <i>node</i>, one from each smaller tree; a node is numbered by its distance from the
 * root. The <i>position</i> of a block in the slot is that of its tree, and trees are in the order in which their roots
 * are reached, so that blocks that move together are contiguous. Immutable.
 */
public final class AggregatedTrees
{
    /**
     * Contiguous blocks that every rank sends together to the rank {@code distance} above.
     *
     * @param distance   distance in ranks.
     * @param isFirst    whether this is the first run of a hop; a hop has one or two runs.
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
     * Returns the runs in order. In a run, a rank sends only its own block, or blocks that it received in earlier runs.
     *
     * @return list, never empty; in the first run, each rank sends only its own block.
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
     * Returns the position of the tree with the largest offsets, the only tree that may lack some nodes.
     *
     * @return position, from 0.
     */
    public int last()
    {
        return last;
    }

    /**
     * Returns the offset of a block: the distance of the rank that stores the block from the rank that the block
     * belongs to.
     *
     * @param node     node in the block's tree.
     * @param position position of the tree.
     * @return distance in ranks; at least the number of ranks if there is no such block.
     */
    public int offset(final int node, final int position)
    {
        return order[position] * treeSize + node;
    }

    /**
     * Moves blocks to the roots: every step starts from all roots reached so far and goes half as far as the step
     * before.
     */
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

    /**
     * Adds a run without the block at position {@code missing}: two runs if blocks remain on both sides. If the run
     * assigns new positions, as in {@link #spread}, the blocks after the missing one close the gap.
     */
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
