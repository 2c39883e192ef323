/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LbfgsTest
{
    private static Minimum minimize(final int maxIterations)
    {
        // The curvature differs by a factor of 10,000 between the axes.
        return new Lbfgs(10, maxIterations, 1e-12).minimize((point, gradient) ->
        {
            double value = 3;
            for (int i = 0; i < point.length; i++)
            {
                final double curvature = Math.pow(10, i % 5);
                gradient[i] = curvature * (point[i] - i);
                value += gradient[i] * (point[i] - i) / 2;
            }
            return value;
        }, new double[10]);
    }

    @Test
    void shouldFindTheMinimumOfAnIllConditionedFunction()
    {
        final Minimum minimum = minimize(200);

        assertArrayEquals(new double[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, minimum.point(), 1e-5);
        assertEquals(3, minimum.value(), 1e-9);
        assertTrue(minimum.iterations() < 100, "iterations: " + minimum.iterations());
    }

    @Test
    void shouldStopAtTheMaximumNumberOfIterations()
    {
        assertEquals(2, minimize(2).iterations());
    }

    @Test
    void shouldStopAtTheStartIfTheGradientIsZero()
    {
        final Minimum minimum = new Lbfgs(5, 10, 0).minimize((point, gradient) -> 7, new double[] {1, 2});

        assertEquals(0, minimum.iterations());
        assertEquals(7, minimum.value());
        assertArrayEquals(new double[] {1, 2}, minimum.point());
    }
}
