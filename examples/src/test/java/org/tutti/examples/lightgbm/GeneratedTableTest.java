/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.lightgbm;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class GeneratedTableTest
{
    private static final int ROWS = 100;
    private static final int COLUMNS = 10;

    private final GeneratedTable table = new GeneratedTable(1, COLUMNS);

    /** Floats have 24 random bits: of 1000 independent numbers, few are equal. */
    @Test
    void shouldNotRepeatNumbersOfOtherRows()
    {
        final float[] features = new float[ROWS * COLUMNS];
        table.fill(0, 1, features, new float[ROWS]);

        final Set<Float> different = new HashSet<>();
        for (final float feature : features)
        {
            different.add(feature);
        }
        assertTrue(different.size() > features.length - 10, () -> different.size() + " of " + features.length);
    }

    @Test
    void shouldGiveRanksTheRowsOfOneTable()
    {
        final float[] all = new float[ROWS * COLUMNS];
        final float[] labels = new float[ROWS];
        table.fill(0, 1, all, labels);
        final float[] odd = new float[ROWS / 2 * COLUMNS];
        final float[] oddLabels = new float[ROWS / 2];
        table.fill(1, 2, odd, oddLabels);

        for (int row = 0; row < ROWS / 2; row++)
        {
            final int whole = 2 * row + 1;
            assertArrayEquals(Arrays.copyOfRange(all, whole * COLUMNS, (whole + 1) * COLUMNS),
                Arrays.copyOfRange(odd, row * COLUMNS, (row + 1) * COLUMNS));
            assertEquals(labels[whole], oddLabels[row]);
        }
    }
}
