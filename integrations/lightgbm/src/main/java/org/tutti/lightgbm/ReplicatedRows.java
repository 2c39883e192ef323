/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import java.util.ArrayList;
import java.util.List;

/**
 * Recognizes, with {@code tree_learner=feature}, ranks that do not have the same rows. Each rank then needs all rows,
 * from which it finds the best split of its features; LightGBM does not check this, and would build trees from parts of
 * the rows. Before the first tree, it gathers sums or means of labels and weights, and numbers of rows, as single
 * {@code double} numbers, which are equal if the rows are. It gathers no other single numbers of this length.
 */
final class ReplicatedRows
{
    /** Relative difference from which on numbers differ: ranks may add labels in different orders. */
    private static final double TOLERANCE = 1e-6;

    private ReplicatedRows()
    {
    }

    /**
     * Throws, on all ranks, if an allgather shows that ranks have different rows.
     *
     * @param size    number of ranks.
     * @param starts  address of the offsets of the blocks.
     * @param lengths address of the lengths of the blocks.
     * @param output  address of the gathered blocks.
     * @throws LightGbmException if they differ.
     */
    static void require(final int size, final long starts, final long lengths, final long output)
    {
        for (int rank = 0; rank < size; rank++)
        {
            if (AddressedMemory.intAt(lengths, rank) != Double.BYTES)
            {
                return;
            }
        }
        final double first = number(starts, output, 0);
        for (int rank = 1; rank < size; rank++)
        {
            final double other = number(starts, output, rank);
            if (Math.abs(other - first) > TOLERANCE * Math.max(Math.abs(first), Math.abs(other)))
            {
                throw difference(size, starts, output);
            }
        }
    }

    private static LightGbmException difference(final int size, final long starts, final long output)
    {
        final List<String> numbers = new ArrayList<>();
        for (int rank = 0; rank < size; rank++)
        {
            numbers.add(Double.toString(number(starts, output, rank)));
        }
        final RanksByValue values = new RanksByValue(numbers);
        return new LightGbmException("rows differ between ranks, but tree_learner=feature needs all rows on each: " +
            "a number of rows, or a sum or mean of labels, is " + values.text() +
            ": pass all rows on each rank, or use tree_learner=data", null, values.others());
    }

    private static double number(final long starts, final long output, final int rank)
    {
        return AddressedMemory.doubleAt(output + AddressedMemory.intAt(starts, rank));
    }
}
