/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import org.tutti.collectives.LocalJob;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Timeout(60)
class StopwatchTest
{
    private static final double[] TIMES_US = { 2, 1, 6 };

    @ParameterizedTest
    @CsvSource({ "RANK_0, 2", "MEAN, 3", "MIN, 1", "MAX, 6" })
    void shouldCombineTimesOfAllRanks(final PerfConfig.Average average, final double expected) throws Exception
    {
        final List<Double> times = LocalJob.call(TIMES_US.length, communicator ->
            new Stopwatch(communicator, average, false).overRanks(TIMES_US[communicator.rank()]));

        assertEquals(List.of(expected, expected, expected), times);
    }
}
