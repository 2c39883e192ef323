/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Binary tree whose in-order traversal is rank order. Rank 0 has one child: the root of the tree of all other ranks. In
 * that tree, a rank's level above the leaves is the number of its trailing zero bits, so odd ranks are leaves.
 * <pre>
 *   0
 *    `-------4
 *        2       6
 *      1   3   5   7
 * </pre>
 *
 * @param size number of ranks, at least 1.
 */
public record InOrderTree(int size) implements Tree
{
    private static final int[] NO_CHILDREN = {};

    @Override
    public int parent(final int rank)
    {
        if (rank == 0)
        {
            return NONE;
        }
        final int bit = Integer.lowestOneBit(rank);
        final int without = rank ^ bit;
        final long above = without | (long)bit << 1;
        return above < size ? (int)above : without;
    }

    @Override
    public int[] children(final int rank)
    {
        final int half = rank == 0 ? Integer.highestOneBit(size) : Integer.lowestOneBit(rank) >> 1;
        final int left = rank == 0 ? 0 : half;
        int right = half;
        while (right > 0 && (long)rank + right >= size)
        {
            right >>= 1;
        }
        if (left == 0)
        {
            return right == 0 ? NO_CHILDREN : new int[] {right};
        }
        return right == 0 ? new int[] {rank - left} : new int[] {rank - left, rank + right};
    }
}
