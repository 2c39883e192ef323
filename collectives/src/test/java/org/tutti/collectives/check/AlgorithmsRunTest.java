/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Runs every algorithm under random interleavings and compares the numbers. */
class AlgorithmsRunTest
{
    private static final int MAX_SIZE = 9;
    private static final int RUNS_PER_SIZE = Boolean.getBoolean("tutti.test.torture") ? 120 : 20;

    static List<Algorithm> algorithms()
    {
        return Algorithms.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldMatchSequentialReferenceUnderRandomInterleavings(final Algorithm algorithm)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        IntStream.range(0, MAX_SIZE * RUNS_PER_SIZE).parallel().forEach((run) ->
        {
            final Random random = new Random(seed + run);
            final ScheduleRequest request = Shapes.random(algorithm, 1 + run % MAX_SIZE, random);
            NumericRun.assertRight(
                algorithm.collective(), Shapes.schedules(algorithm, request), random,
                "seed=" + seed + " run=" + run + " " + request);
        });
    }
}
