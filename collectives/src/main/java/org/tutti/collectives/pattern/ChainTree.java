/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Chain in which each rank has one child, the next rank, from the root around to the rank before the root.
 *
 * @param size number of ranks, at least 1.
 * @param root root rank, from 0 to {@code size - 1}.
 */
public record ChainTree(int size, int root) implements Tree
{
    private static final int[] NO_CHILDREN = {};

    @Override
    public int parent(final int rank)
    {
        return rank == root ? NONE : Math.floorMod(rank - 1, size);
    }

    @Override
    public int[] children(final int rank)
    {
        final int next = (rank + 1) % size;
        return next == root ? NO_CHILDREN : new int[] {next};
    }

    @Override
    public int depth(final int rank)
    {
        return Math.floorMod(rank - root, size);
    }
}
