/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.select.model.ModelledTimes;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Proves algorithms that depend on hosts for random placements of ranks: hosts have different numbers of ranks. */
class RandomPlacementsTest
{
    private static final int MAX_SIZE = 12;
    private static final int RUNS = Boolean.getBoolean("tutti.test.torture") ? 2000 : 100;
    private static final long SCRATCH_BYTES = 4L << 20;

    static List<Algorithm> algorithms()
    {
        return Algorithms.all().stream().filter(Algorithm::usesHosts).toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldBeCorrectForRandomPlacements(final Algorithm algorithm)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        IntStream.range(0, RUNS).parallel().forEach((run) ->
        {
            final Random random = new Random(seed + run);
            final int size = 2 + random.nextInt(MAX_SIZE - 1);
            final ScheduleRequest request = Shapes.random(algorithm, size, random).withHosts(placement(size, random));
            final List<Schedule> schedules = Shapes.schedules(algorithm, request);
            final String text = "seed=" + seed + " run=" + run + " " + request;

            final CheckReport report = ScheduleChecker.check(
                algorithm.collective(), schedules, Shapes.QUEUE_DEPTH, algorithm.keepsRankOrder());
            assertTrue(report.isRight(), () -> text + "\n" + report);
            NumericRun.assertRight(algorithm.collective(), schedules, random, text);
        });
    }

    /** An algorithm without a time is not chosen. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldHaveATimeForRandomPlacements(final Algorithm algorithm)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        final Random random = new Random(seed);
        for (int run = 0; run < RUNS; run++)
        {
            final HostMap hosts = placement(2 + random.nextInt(100), random);
            final ModelledTimes times = new ModelledTimes(hosts, CostModel.DEFAULT, SCRATCH_BYTES);
            for (long bytes = 8L * hosts.size(); bytes < 1 << 28; bytes *= 8)
            {
                final double ns = times.ns(algorithm, bytes, 1 << 16, 4);
                assertTrue(ns >= 0 && Double.isFinite(ns), "seed=" + seed + " " + hosts + " " + bytes + ": " + ns);
            }
        }
    }

    /** Some hosts get most of the ranks, in blocks or one by one. */
    private static HostMap placement(final int size, final Random random)
    {
        final int hosts = 1 + random.nextInt(size);
        final int[] placed = IntStream.range(0, size)
            .map((rank) -> (int)(hosts * Math.pow(random.nextDouble(), 1 + random.nextInt(3)))).toArray();
        if (random.nextBoolean())
        {
            Arrays.sort(placed);
        }
        return HostMap.of(Arrays.stream(placed).boxed().toList());
    }
}
