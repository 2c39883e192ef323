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
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that fusion-safe algorithms combine all elements in the same order, independent of their positions. */
class FusionSafeTest
{
    private static final int MAX_SIZE = Boolean.getBoolean("tutti.test.torture") ? 9 : 6;

    static List<Algorithm> algorithms()
    {
        return Algorithms.of(Collective.ALLREDUCE);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldCombineAllElementsInTheSameOrderWhenFusionSafe(final Algorithm algorithm)
    {
        final boolean same = IntStream.rangeClosed(2, MAX_SIZE)
            .mapToObj(size -> algorithm.usesHosts() ? Shapes.placements(size).getLast() : HostMap.one(size))
            .allMatch(hosts -> hasSameOrder(algorithm, hosts));

        assertTrue(same || !algorithm.isFusionSafe());
    }

    /** Each rank has one value in all elements; then all sums must be bitwise equal, for any count and segment. */
    private static boolean hasSameOrder(final Algorithm algorithm, final HostMap hosts)
    {
        final int size = hosts.size();
        final double[] values = new Random(size).doubles(size, 0, 1).map(value -> value * value * value).toArray();
        return Shapes.of(Collective.ALLREDUCE, size).parallelStream()
            .filter(request -> !algorithm.usesHosts() || request.window() == 2)
            .map(request -> request.withHosts(hosts))
            .flatMapToDouble(request -> results(algorithm, request, values))
            .distinct().count() <= 1;
    }

    private static DoubleStream results(
        final Algorithm algorithm, final ScheduleRequest request, final double[] values)
    {
        final double[][] inputs = Arrays.stream(values)
            .mapToObj(value -> DoubleStream.generate(() -> value).limit(request.count()).toArray())
            .toArray(double[][]::new);
        return Arrays.stream(new Interpreter(
            Collective.ALLREDUCE, Shapes.schedules(algorithm, request), inputs, new Random(request.count()), false)
            .run())
            .flatMapToDouble(Arrays::stream);
    }
}
