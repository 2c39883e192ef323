/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.List;
import java.util.Random;

/** Runs every algorithm under random interleavings and compares the numbers. */
class AlgorithmsRunTest
{
    private static final int MAX_SIZE = 9;
    private static final int RUNS_PER_SIZE = 120;

    static List<ScheduleGenerator> algorithms()
    {
        return Algorithms.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldComputeTheSameAsASequentialReferenceWhateverHappensFirst(final ScheduleGenerator algorithm)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        final Random random = new Random(seed);
        for (int size = 1; size <= MAX_SIZE; size++)
        {
            for (int run = 0; run < RUNS_PER_SIZE; run++)
            {
                final ScheduleRequest request = Shapes.random(algorithm, size, random);
                NumericRun.assertRight(
                    algorithm.collective(), Shapes.schedules(algorithm, request), random,
                    "seed=" + seed + " run=" + run + " " + request);
            }
        }
    }
}
