/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.lightgbm;

import java.util.SplittableRandom;

/** A table of random numbers and a binary label that depends on some of them; a row depends on its number only. */
final class GeneratedTable
{
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private final long seed;
    private final int columns;

    /**
     * Describes a table.
     *
     * @param seed    seed of all rows.
     * @param columns number of features, at least 4.
     */
    GeneratedTable(final long seed, final int columns)
    {
        this.seed = seed;
        this.columns = columns;
    }

    /**
     * Returns the number of features.
     *
     * @return columns, at least 4.
     */
    int columns()
    {
        return columns;
    }

    /**
     * Fills part of a table.
     *
     * @param first    number of the first row.
     * @param step     difference between the numbers of two rows.
     * @param features features by row, of {@code labels.length * columns} elements.
     * @param labels   labels, 0 or 1.
     */
    void fill(final long first, final int step, final float[] features, final float[] labels)
    {
        for (int row = 0; row < labels.length; row++)
        {
            final SplittableRandom random = random(first + (long)row * step);
            final int start = row * columns;
            for (int column = 0; column < columns; column++)
            {
                features[start + column] = (float)random.nextDouble();
            }
            final double score = 4 * features[start] * features[start + 1] + Math.sin(6 * features[start + 2]) -
                2 * Math.abs(features[start + 3] - 0.5) - 0.5;
            labels[row] = random.nextDouble() < 1 / (1 + Math.exp(-2 * score)) ? 1 : 0;
        }
    }

    /**
     * Returns the generator of a row. Its seed is random: generators whose seeds differ by a multiple of STEP, which is
     * the increment of their states, have the same numbers at different positions.
     */
    private SplittableRandom random(final long row)
    {
        return new SplittableRandom(new SplittableRandom(seed + row * STEP).nextLong());
    }
}
