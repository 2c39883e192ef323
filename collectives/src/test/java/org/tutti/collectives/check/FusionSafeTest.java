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

/** Whether algorithms that say so combine all elements in the same order, wherever they are. */
class FusionSafeTest
{
    private static final int MAX_SIZE = 9;

    static List<Algorithm> algorithms()
    {
        return Algorithms.of(Collective.ALLREDUCE);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldCombineAllElementsAlikeIfItSaysSo(final Algorithm algorithm)
    {
        final boolean alike = IntStream.rangeClosed(2, MAX_SIZE)
            .mapToObj(size -> algorithm.usesHosts() ? Shapes.placements(size).getLast() : HostMap.one(size))
            .allMatch(hosts -> isAlike(algorithm, hosts));

        assertTrue(alike || !algorithm.isFusionSafe());
    }

    /** If every rank has one value everywhere, every sum is the same to the bit, whatever the count and the segment. */
    private static boolean isAlike(final Algorithm algorithm, final HostMap hosts)
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
