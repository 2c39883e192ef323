/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LogAxisTest
{
    @Test
    void shouldEndAtOneTwoOrFiveTimesPowerOfTen()
    {
        final LogAxis axis = LogAxis.around(0.23, 32_424, 0, 100);

        assertEquals(0.2, axis.low(), 1e-12);
        assertEquals(50_000, axis.high(), 1e-6);
    }

    @Test
    void shouldLabelPowersOfTen()
    {
        assertTicks(List.of(1.0, 10.0, 100.0, 1000.0), LogAxis.around(0.6, 1500, 0, 1));
    }

    @Test
    void shouldLabelIntermediateStepsWhenDecadesAreFew()
    {
        assertTicks(List.of(2.0, 5.0, 10.0, 20.0, 50.0), LogAxis.around(2, 50, 0, 1));
    }

    @Test
    void shouldCoverSingleValue()
    {
        final LogAxis axis = LogAxis.around(5, 5, 0, 100);

        assertTrue(axis.high() > axis.low());
        assertTrue(axis.ticks().size() >= 2, axis.ticks().toString());
    }

    @Test
    void shouldPlaceEqualFactorsEquallyFarApart()
    {
        final LogAxis axis = new LogAxis(4, 64, 300, 100);

        assertEquals(300, axis.at(4), 1e-9);
        assertEquals(200, axis.at(16), 1e-9);
        assertEquals(100, axis.at(64), 1e-9);
        assertEquals(100, axis.at(1e9), 1e-9);
    }

    @RepeatedTest(50)
    void shouldCoverAllValuesAndLabelSome()
    {
        final long seed = new Random().nextLong();
        final Random random = new Random(seed);
        final double least = Math.pow(10, random.nextDouble(-6, 6));
        final double greatest = least * Math.pow(10, random.nextDouble(0, 8));
        final LogAxis axis = LogAxis.around(least, greatest, 0, 1);
        final String about = "seed " + seed + ": " + axis + " " + axis.ticks();

        assertTrue(axis.low() <= least * 1.000001 && axis.high() >= greatest * 0.999999, about);
        assertTrue(axis.low() > least / 2.6 && axis.high() < Math.max(greatest, 1.5 * least) * 4, about);
        assertTrue(!axis.ticks().isEmpty() && axis.ticks().size() <= 10, about);
        assertTrue(axis.ticks().stream().allMatch(tick -> axis.at(tick) > -1e-6 && axis.at(tick) < 1.000001), about);
    }

    private static void assertTicks(final List<Double> expected, final LogAxis axis)
    {
        assertEquals(expected.size(), axis.ticks().size(), axis.ticks().toString());
        for (int i = 0; i < expected.size(); i++)
        {
            assertEquals(expected.get(i), axis.ticks().get(i), expected.get(i) * 1e-9);
        }
    }
}
