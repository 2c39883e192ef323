/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.select.DefaultTunings;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Proves every algorithm for 1 to 17 ranks. */
class AlgorithmsProofTest
{
    private static final int MAX_SIZE = 17;
    private static final int MAX_MIXED_SIZE = 9;

    static List<ScheduleGenerator> algorithms()
    {
        return Algorithms.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldBeRightForAllSizesAndCounts(final ScheduleGenerator algorithm)
    {
        final List<String> wrong = IntStream.rangeClosed(1, MAX_SIZE).boxed()
            .flatMap((size) -> Shapes.of(algorithm.collective(), size).stream())
            .parallel()
            .filter((request) -> !check(algorithm, request).isRight())
            .map((request) -> request + "\n" + check(algorithm, request))
            .limit(3)
            .toList();

        assertEquals("", String.join("\n\n", wrong));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldBeRightWhenOnlySomeRanksWorkInPlace(final ScheduleGenerator algorithm)
    {
        final List<String> wrong = IntStream.rangeClosed(2, MAX_MIXED_SIZE).boxed()
            .flatMap((size) -> Shapes.of(algorithm.collective(), size).stream())
            .filter(ScheduleRequest::inPlace)
            .parallel()
            .flatMap((request) -> Stream.of(
                Shapes.schedulesOfMixedPlacement(algorithm, request, true),
                Shapes.schedulesOfMixedPlacement(algorithm, request, false)))
            .map((schedules) -> ScheduleChecker.check(
                algorithm.collective(), schedules, Shapes.QUEUE_DEPTH, algorithm.keepsRankOrder()))
            .filter((report) -> !report.isRight())
            .map(CheckReport::toString)
            .limit(3)
            .toList();

        assertEquals("", String.join("\n\n", wrong));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldSayWhetherItKeepsTheOrderOfRanks(final ScheduleGenerator algorithm)
    {
        final boolean reduces = Set.of(Collective.ALLREDUCE, Collective.REDUCE, Collective.REDUCE_SCATTER)
            .contains(algorithm.collective());
        final boolean keeps = IntStream.rangeClosed(2, MAX_MIXED_SIZE).boxed()
            .flatMap((size) -> Shapes.of(algorithm.collective(), size).stream())
            .parallel()
            .allMatch((request) -> ScheduleChecker.check(
                algorithm.collective(), Shapes.schedules(algorithm, request), Shapes.QUEUE_DEPTH, true).isRight());

        assertTrue(!reduces || keeps == algorithm.keepsRankOrder(), "keeps=" + keeps);
    }

    @Test
    void shouldProveTheWindowsThatCallsGet()
    {
        final Set<Integer> unproved = new TreeSet<>(DefaultTunings.windows());
        unproved.removeAll(Shapes.WINDOWS);

        assertEquals(Set.of(), unproved);
    }

    private static CheckReport check(final ScheduleGenerator algorithm, final ScheduleRequest request)
    {
        return ScheduleChecker.check(
            algorithm.collective(), Shapes.schedules(algorithm, request), Shapes.QUEUE_DEPTH,
            algorithm.keepsRankOrder());
    }
}
