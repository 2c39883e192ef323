/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.Arrays;

/**
 * The tree in which a rank's parent has the same number, counted from the root and written in digits of the radix, but
 * for its lowest digit that is not 0. Every rank that has the data hands it on to {@code radix - 1} that have not, in
 * every round, so that the number of ranks that have it grows by the radix. Of radix 2 it is the binomial tree.
 *
 * @param size  number of ranks, at least 1.
 * @param root  root rank, from 0 to {@code size - 1}.
 * @param radix radix, at least 2.
 */
public record KnomialTree(int size, int root, int radix) implements Tree
{
    /**
     * The tree of radix 2.
     *
     * @param size number of ranks, at least 1.
     * @param root root rank, from 0 to {@code size - 1}.
     * @return a tree.
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

    /** The children with the most ranks below them come first. */
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

    /**
     * How many ranks a rank and all below it are: so many in a row, around, from it on.
     *
     * @param rank rank, from 0.
     * @return at least 1.
     */
    public int span(final int rank)
    {
        final int number = number(rank);
        return (int)Math.min(unit(number), size - number);
    }

    private int number(final int rank)
    {
        return Math.floorMod(rank - root, size);
    }

    private int rankOf(final int number)
    {
        return (int)((number + (long)root) % size);
    }

    /** The largest power of the radix that divides a number, or is not less than the size. */
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
