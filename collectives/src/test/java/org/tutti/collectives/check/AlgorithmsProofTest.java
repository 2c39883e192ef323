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
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.select.DefaultTunings;

import java.util.List;
import java.util.Objects;
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
            .flatMap((size) -> Shapes.of(algorithm, size).stream())
            .parallel()
            .map((request) -> Shapes.schedules(algorithm, request))
            .filter(new Distinct()::isNew)
            .map((schedules) -> check(algorithm, schedules, algorithm.keepsRankOrder()))
            .filter(Objects::nonNull)
            .limit(3)
            .toList();

        assertEquals("", String.join("\n\n", wrong));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldBeRightWhenOnlySomeRanksWorkInPlace(final ScheduleGenerator algorithm)
    {
        final List<String> wrong = IntStream.rangeClosed(2, MAX_MIXED_SIZE).boxed()
            .flatMap((size) -> Shapes.of(algorithm, size).stream())
            .filter(ScheduleRequest::inPlace)
            .parallel()
            .flatMap((request) -> Stream.of(
                Shapes.schedulesOfMixedPlacement(algorithm, request, true),
                Shapes.schedulesOfMixedPlacement(algorithm, request, false)))
            .filter(new Distinct()::isNew)
            .map((schedules) -> check(algorithm, schedules, algorithm.keepsRankOrder()))
            .filter(Objects::nonNull)
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
            .flatMap((size) -> Shapes.of(algorithm, size).stream())
            .parallel()
            .map((request) -> Shapes.schedules(algorithm, request))
            .filter(new Distinct()::isNew)
            .allMatch((schedules) -> check(algorithm, schedules, true) == null);

        assertTrue(!reduces || keeps == algorithm.keepsRankOrder(), "keeps=" + keeps);
        assertTrue(algorithm.keepsRankOrder() || !algorithm.isReproducible());
    }

    @Test
    void shouldProveTheWindowsThatCallsGet()
    {
        final Set<Integer> unproved = new TreeSet<>(DefaultTunings.windows());
        unproved.removeAll(Shapes.WINDOWS);

        assertEquals(Set.of(), unproved);
    }

    /** What is wrong, or null. */
    private static String check(
        final ScheduleGenerator algorithm, final List<Schedule> schedules, final boolean keepsRankOrder)
    {
        final CheckReport report =
            ScheduleChecker.check(algorithm.collective(), schedules, Shapes.QUEUE_DEPTH, keepsRankOrder);
        return report.isRight() ? null : schedules.getFirst().request() + "\n" + report;
    }
}
