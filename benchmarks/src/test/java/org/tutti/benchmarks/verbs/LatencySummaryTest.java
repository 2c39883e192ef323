/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class LatencySummaryTest
{
    @Test
    void shouldReportHalfOfRoundTrips()
    {
        final LatencySummary summary = LatencySummary.of(new long[]{ 1000, 3000, 7000, 9000, 15_000, 17_000 }, 1);

        assertEquals(1, summary.minUs());
        assertEquals(3, summary.maxUs());
        assertEquals(1, summary.typicalUs());
        assertEquals(1.6, summary.averageUs(), 1e-9);
        assertEquals(0.8, summary.stdevUs(), 1e-9);
        assertEquals(3, summary.p99Us());
    }

    @Test
    void shouldAverageMessagesBetweenReadings()
    {
        assertEquals(0.5, LatencySummary.of(new long[]{ 0, 10_000, 20_000 }, 10).typicalUs());
    }

    @Test
    void shouldComputePercentiles()
    {
        final long[] postedNs = new long[2001];
        for (int i = 1; i <= 2000; i++)
        {
            postedNs[i] = postedNs[i - 1] + 2000L * (i * 7 % 2000 + 1);
        }

        final LatencySummary summary = LatencySummary.of(postedNs, 1);

        assertEquals(1001, summary.typicalUs());
        assertEquals(1981, summary.p99Us());
        assertEquals(1999, summary.p999Us());
        assertEquals(" 8       2000         1.00         2000.00      1001.00          1000.50      577.35" +
            "         1981.00               1999.00", summary.row(8, 2000));
    }
}
