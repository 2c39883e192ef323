/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.Arrays;

/**
 * K-nomial tree: ranks are numbered from the root on, in base {@code radix}; clearing the lowest nonzero digit of a
 * rank's number gives the number of its parent. In every round, every rank that has the data sends it to
 * {@code radix - 1} ranks that do not have it, so the number of ranks that have the data is multiplied by the radix.
 * Radix 2 is the binomial tree.
 *
 * @param size  number of ranks, at least 1.
 * @param root  root rank, from 0 to {@code size - 1}.
 * @param radix radix, at least 2.
 */
public record KnomialTree(int size, int root, int radix) implements PreorderTree
{
    /**
     * Returns the tree of radix 2.
     *
     * @param size number of ranks, at least 1.
     * @param root root rank, from 0 to {@code size - 1}.
     * @return the tree.
     */
    public static KnomialTree binomial(final int size, final int root)
    {
        return new KnomialTree(size, root, 2);
    }

    @Override
    public int parent(final int rank)
    {
        final int number = number(rank);
        final long unit = unit(number);
        return number == 0 ? NONE : rankOf((int)(number - number / unit % radix * unit));
    }

    /** Children with the largest subtrees come first. */
    @Override
    public int[] children(final int rank)
    {
        final int number = number(rank);
        int[] children = new int[radix];
        int length = 0;
        for (long unit = unit(number) / radix; unit > 0; unit /= radix)
        {
            for (int digit = 1; digit < radix && number + digit * unit < size; digit++)
            {
                if (length == children.length)
                {
                    children = Arrays.copyOf(children, 2 * length);
                }
                children[length++] = rankOf((int)(number + digit * unit));
            }
        }
        return Arrays.copyOf(children, length);
    }

    /** The ranks of a subtree are consecutive, from its root on, wrapping around. */
    @Override
    public int span(final int rank)
    {
        final int number = number(rank);
        return (int)Math.min(unit(number), size - number);
    }

    @Override
    public int position(final int rank)
    {
        return number(rank);
    }

    @Override
    public int rankAt(final int position)
    {
        return rankOf(position);
    }

    private int number(final int rank)
    {
        return Math.floorMod(rank - root, size);
    }

    private int rankOf(final int number)
    {
        return (int)((number + (long)root) % size);
    }

    /** The largest power of the radix that divides a number; for 0, the first power that is at least the size. */
    private long unit(final int number)
    {
        long unit = 1;
        while (unit < size && number % (unit * radix) == 0)
        {
            unit *= radix;
        }
        return unit;
    }
}
