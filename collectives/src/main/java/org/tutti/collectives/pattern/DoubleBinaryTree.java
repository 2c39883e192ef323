/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * The second tree of a pair whose first is an {@link InOrderTree}: the same tree with the ranks mirrored (even number
 * of ranks) or shifted by one (odd number). Leaves of one tree are inner nodes of the other, except for at most one
 * rank, so that the two halves of the data load all ranks equally.
 *
 * @param size number of ranks, at least 1.
 */
public record DoubleBinaryTree(int size) implements Tree
{
    /**
     * Returns both trees of a pair.
     *
     * @param size number of ranks, at least 1.
     * @return two trees.
     */
    public static Tree[] pair(final int size)
    {
        return new Tree[] {new InOrderTree(size), new DoubleBinaryTree(size)};
    }

    @Override
    public int parent(final int rank)
    {
        final int parent = new InOrderTree(size).parent(toFirst(rank));
        return parent == NONE ? NONE : fromFirst(parent);
    }

    @Override
    public int[] children(final int rank)
    {
        final int[] children = new InOrderTree(size).children(toFirst(rank));
        for (int i = 0; i < children.length; i++)
        {
            children[i] = fromFirst(children[i]);
        }
        return children;
    }

    private int toFirst(final int rank)
    {
        return isMirrored() ? size - 1 - rank : (rank + size - 1) % size;
    }

    private int fromFirst(final int rank)
    {
        return isMirrored() ? size - 1 - rank : (rank + 1) % size;
    }

    private boolean isMirrored()
    {
        return size % 2 == 0;
    }
}
