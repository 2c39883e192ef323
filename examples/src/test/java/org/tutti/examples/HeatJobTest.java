/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.LocalJob;

import static org.junit.jupiter.api.Assertions.assertEquals;

class HeatJobTest
{
    /** 60 cells in total and as many steps, so that heat travels once around the ring. */
    @Test
    void shouldComputeSameResultOnAnyNumberOfRanks()
    {
        final double[] alone = spread(1)[0];
        for (final int size : new int[] {2, 3, 4})
        {
            for (final double[] heat : spread(size))
            {
                assertEquals(1.0, heat[0], 1e-12, size + " ranks");
                assertEquals(alone[1], heat[1], 1e-15, size + " ranks");
            }
        }
    }

    private static double[][] spread(final int size)
    {
        return LocalJob.call(size, communicator -> HeatJob.spread(communicator, 60 / size, 121))
            .toArray(double[][]::new);
    }
}
