/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class PiJobTest
{
    @Test
    void shouldAddUpToPiOnAnyNumberOfRanks()
    {
        for (int size = 1; size <= 5; size++)
        {
            double pi = 0;
            for (int rank = 0; rank < size; rank++)
            {
                pi += PiJob.strips(rank, size, 100_000);
            }
            // The error of the midpoint rule is 1 / (12 n^2).
            assertEquals(Math.PI, pi, 1e-11, size + " ranks");
        }
    }

    @Test
    void shouldGiveNoStripsToSomeRanksWhenThereAreFew()
    {
        assertEquals(0, PiJob.strips(3, 4, 3));
        assertEquals(3.2, PiJob.strips(0, 4, 1), 1e-15);
    }
}
