/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LabelSpreaderTest
{
    private static final double SLACK = 1e-9;

    @Test
    void shouldKeepDistantPositions()
    {
        assertArrayEquals(new double[] {50, 10, 30}, LabelSpreader.of(new double[] {50, 10, 30}, 13, 0, 100));
    }

    @Test
    void shouldSeparateClosePositionsInOrder()
    {
        assertArrayEquals(new double[] {33, 20, 46}, LabelSpreader.of(new double[] {21, 20, 22}, 13, 0, 100));
        assertArrayEquals(new double[] {87, 100}, LabelSpreader.of(new double[] {98, 99}, 13, 0, 100));
    }

    @RepeatedTest(20)
    void shouldSeparateRandomPositionsWithinRange()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final double[] places = LabelSpreader.of(random.doubles(7, 0, 100).toArray(), 13, 0, 100);

        Arrays.sort(places);
        for (int i = 1; i < places.length; i++)
        {
            assertTrue(places[i] - places[i - 1] >= 13 - SLACK, "seed " + seed + ": " + Arrays.toString(places));
        }
        assertTrue(places[0] >= -SLACK && places[6] <= 100 + SLACK, "seed " + seed + ": " + Arrays.toString(places));
    }
}
