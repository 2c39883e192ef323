/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.lightgbm;

/**
 * The rows of a table that one rank trains on.
 *
 * @param rows  number of rows of all ranks together.
 * @param first number of this rank's first row.
 * @param step  difference between the numbers of two rows of this rank.
 */
record RowShare(int rows, int first, int step)
{
    /**
     * Returns the share of a rank among ranks that each have other rows.
     *
     * @param rows number of rows of all ranks.
     * @param rank rank.
     * @param size number of ranks.
     * @return each {@code size}-th row.
     */
    static RowShare of(final int rows, final int rank, final int size)
    {
        return new RowShare(rows, rank, size);
    }

    /**
     * Returns the share of a rank that has the same rows as all others.
     *
     * @param rows number of rows.
     * @return all rows.
     */
    static RowShare all(final int rows)
    {
        return new RowShare(rows, 0, 1);
    }

    /**
     * Returns the number of rows in this share.
     *
     * @return number of rows, from 0.
     */
    int count()
    {
        return (rows - first + step - 1) / step;
    }
}
