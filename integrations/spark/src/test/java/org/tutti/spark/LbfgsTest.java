/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LbfgsTest
{
    /** A function of a point in an array; its curvature differs by a factor of 10,000 between the axes. */
    private static class ArrayObjective implements Objective
    {
        final double[] at;
        final double[] slopes;

        ArrayObjective(final double... start)
        {
            at = start;
            slopes = new double[start.length];
        }

        @Override
        public int length()
        {
            return at.length;
        }

        @Override
        public MemorySegment point()
        {
            return MemorySegment.ofArray(at);
        }

        @Override
        public MemorySegment gradient()
        {
            return MemorySegment.ofArray(slopes);
        }

        @Override
        public double evaluate()
        {
            double value = 3;
            for (int i = 0; i < at.length; i++)
            {
                final double curvature = Math.pow(10, i % 5);
                final double distance = at[i] - minimum(i);
                slopes[i] = curvature * distance;
                value += slopes[i] * distance / 2;
            }
            return value;
        }

        static double minimum(final int i)
        {
            return i % 7 - 2;
        }

        double[] minima()
        {
            final double[] minima = new double[at.length];
            for (int i = 0; i < minima.length; i++)
            {
                minima[i] = minimum(i);
            }
            return minima;
        }

        @Override
        public void sum(final double[] values)
        {
            // There is one chunk.
        }
    }

    private static Minimum minimize(final int history, final int maxIterations, final Objective objective)
    {
        return new Lbfgs(history, maxIterations, 1e-9).minimize(objective);
    }

    @Test
    void shouldFindTheMinimumOfAnIllConditionedFunction()
    {
        final ArrayObjective objective = new ArrayObjective(new double[10]);
        final Minimum minimum = minimize(10, 200, objective);

        assertArrayEquals(objective.minima(), objective.at, 1e-5);
        assertEquals(3, minimum.value(), 1e-9);
        assertTrue(minimum.iterations() < 100, "iterations: " + minimum.iterations());
    }

    @Test
    void shouldFindTheMinimumOfManyParameters()
    {
        final ArrayObjective objective = new ArrayObjective(new double[5001]);
        final Minimum minimum = minimize(5, 400, objective);

        assertArrayEquals(objective.minima(), objective.at, 1e-4);
        assertEquals(3, minimum.value(), 1e-6);
    }

    @Test
    void shouldNeedFewerIterationsWithALongerHistory()
    {
        final int shortest = minimize(1, 1000, new ArrayObjective(new double[100])).iterations();
        final int longest = minimize(10, 1000, new ArrayObjective(new double[100])).iterations();

        assertTrue(longest < shortest, longest + " and " + shortest + " iterations");
    }

    @Test
    void shouldStopAtTheMaximumNumberOfIterations()
    {
        final ArrayObjective objective = new ArrayObjective(new double[10]);
        final Minimum minimum = minimize(10, 2, objective);

        assertEquals(2, minimum.iterations());
        assertFalse(minimum.isConverged());
        assertEquals(minimum.value(), objective.evaluate());
    }

    @Test
    void shouldStopAtTheStartIfTheGradientIsZero()
    {
        final ArrayObjective objective = new ArrayObjective(-2, -1, 0);
        final Minimum minimum = new Lbfgs(5, 10, 0).minimize(objective);

        assertEquals(0, minimum.iterations());
        assertTrue(minimum.isConverged());
        assertEquals(3, minimum.value());
        assertArrayEquals(new double[] {-2, -1, 0}, objective.at);
    }

    @Test
    void shouldReturnTheBestPointIfNoStepDecreasesTheValue()
    {
        final double[] start = {1, 1};
        final ArrayObjective objective = new ArrayObjective(start.clone())
        {
            private int evaluations;

            @Override
            public double evaluate()
            {
                super.evaluate();
                return evaluations++;
            }
        };
        final Minimum minimum = minimize(3, 10, objective);

        assertEquals(0, minimum.iterations());
        assertFalse(minimum.isConverged());
        assertArrayEquals(start, objective.at);
    }

    @Test
    void shouldRejectAFunctionThatIsInfiniteAtTheStart()
    {
        assertEquals("the loss at the start is Infinity, as labels or features are too large: scale them",
            assertThrows(InvalidDataException.class, () ->
            minimize(3, 10, new ArrayObjective(1e200, 1e200))).getMessage());
    }

    /** A rank with a half of the point sums as if the other half were the same. */
    @Test
    void shouldUseTheSumsOfAllChunks()
    {
        final ArrayObjective whole = new ArrayObjective(2, 3, 4, 2, 3, 4)
        {
            @Override
            public double evaluate()
            {
                return evaluateHalves(at, slopes);
            }
        };
        final ArrayObjective half = new ArrayObjective(2, 3, 4)
        {
            @Override
            public double evaluate()
            {
                return 2 * evaluateHalves(at, slopes);
            }

            @Override
            public void sum(final double[] values)
            {
                for (int i = 0; i < values.length; i++)
                {
                    values[i] *= 2;
                }
            }
        };
        final Minimum expected = minimize(5, 7, whole);
        final Minimum minimum = minimize(5, 7, half);

        assertEquals(expected.iterations(), minimum.iterations());
        assertEquals(expected.value(), minimum.value(), 1e-12);
        for (int i = 0; i < 3; i++)
        {
            assertEquals(whole.at[i], half.at[i], 1e-9);
        }
    }

    private static double evaluateHalves(final double[] point, final double[] gradient)
    {
        double value = 0;
        for (int i = 0; i < point.length; i++)
        {
            final double curvature = 1 + i % 3;
            gradient[i] = curvature * point[i];
            value += gradient[i] * point[i] / 2;
        }
        return value;
    }
}
