/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

/** Runs every algorithm under random interleavings and compares the numbers. */
class AlgorithmsRunTest
{
    private static final int RUNS_PER_SHAPE = 3;

    static List<ScheduleGenerator> algorithms()
    {
        return Algorithms.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldComputeTheSameAsASequentialReferenceWhateverHappensFirst(final ScheduleGenerator algorithm)
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int size = 1; size <= 9; size++)
        {
            for (int run = 0; run < RUNS_PER_SHAPE * 40; run++)
            {
                final int count = algorithm.collective() == Collective.BARRIER ? 0 : random.nextInt(4 * size + 2);
                final ScheduleRequest request = new ScheduleRequest(
                    0, size, count, algorithm.collective() == Collective.BROADCAST ? random.nextInt(size) : 0,
                    algorithm.collective() == Collective.BROADCAST || random.nextBoolean(),
                    1 + random.nextInt(count + 1), 1 + random.nextInt(4));
                assertRight(algorithm, request, random, "seed=" + seed + " run=" + run + " " + request);
            }
        }
    }

    private static void assertRight(
        final ScheduleGenerator algorithm, final ScheduleRequest request, final Random random, final String name)
    {
        final List<Schedule> schedules = Shapes.schedules(algorithm, request);
        final double[][] inputs = new double[request.size()][(int)request.count()];
        final double[] expected = new double[(int)request.count()];
        for (int rank = 0; rank < request.size(); rank++)
        {
            for (int i = 0; i < expected.length; i++)
            {
                inputs[rank][i] = random.nextInt(1 << 20);
                expected[i] += inputs[rank][i] / request.size();
            }
        }

        final double[][] outputs = new Interpreter(schedules, inputs, random, random.nextBoolean()).run();

        for (int rank = 0; rank < request.size(); rank++)
        {
            final boolean broadcast = algorithm.collective() == Collective.BROADCAST;
            assertArrayEquals(
                broadcast ? inputs[request.root()] : expected, outputs[rank], broadcast ? 0 : 1e-6,
                name + " rank=" + rank);
        }
    }
}
