/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.select.DefaultTunings;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Proves every algorithm for 1 to 4 and 6 ranks, and in torture mode for 1 to 17. */
class AlgorithmsProofTest
{
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    /** The largest has three rounds of doubling, the last one uneven, and ranks beyond a power of two. */
    private static final List<Integer> SIZES =
        IS_TORTURE ? IntStream.rangeClosed(1, 17).boxed().toList() : List.of(1, 2, 3, 4, 6);
    private static final List<Integer> MIXED_SIZES =
        IntStream.rangeClosed(2, IS_TORTURE ? 9 : 4).boxed().toList();

    static List<Algorithm> algorithms()
    {
        return Algorithms.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldBeCorrectForAllSizesAndCounts(final Algorithm algorithm)
    {
        final List<String> violations = requests(algorithm, SIZES)
            .map((request) -> Shapes.schedules(algorithm, request))
            .filter(new Distinct()::isNew)
            .map((schedules) -> check(algorithm, schedules, algorithm.keepsRankOrder()))
            .filter(Objects::nonNull)
            .limit(3)
            .toList();

        assertEquals("", String.join("\n\n", violations));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldBeCorrectWhenOnlySomeRanksWorkInPlace(final Algorithm algorithm)
    {
        final List<String> violations = requests(algorithm, MIXED_SIZES)
            .filter(ScheduleRequest::inPlace)
            .flatMap((request) -> Stream.of(
                Shapes.schedulesOfMixedPlacement(algorithm, request, true),
                Shapes.schedulesOfMixedPlacement(algorithm, request, false)))
            .filter(new Distinct()::isNew)
            .map((schedules) -> check(algorithm, schedules, algorithm.keepsRankOrder()))
            .filter(Objects::nonNull)
            .limit(3)
            .toList();

        assertEquals("", String.join("\n\n", violations));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldDeclareWhetherItKeepsRankOrder(final Algorithm algorithm)
    {
        final boolean reduces = Set.of(Collective.ALLREDUCE, Collective.REDUCE, Collective.REDUCE_SCATTER)
            .contains(algorithm.collective());
        // Algorithms that declare to keep the order are proved to, for all sizes.
        assertTrue(!reduces || algorithm.keepsRankOrder() || requests(algorithm, MIXED_SIZES)
            .map((request) -> Shapes.schedules(algorithm, request))
            .anyMatch((schedules) -> check(algorithm, schedules, true) != null),
            "keeps rank order, but does not declare it");
        assertTrue(algorithm.keepsRankOrder() || !algorithm.isReproducible());
    }

    @Test
    void shouldCoverWindowsOfDefaultTunings()
    {
        final Set<Integer> unproved = new TreeSet<>(DefaultTunings.windows());
        unproved.removeAll(Shapes.WINDOWS);

        assertEquals(Set.of(), unproved);
    }

    /** In parallel and unordered: otherwise one thread would get the requests with many ranks, which take longest. */
    private static Stream<ScheduleRequest> requests(
        final Algorithm algorithm, final List<Integer> sizes)
    {
        final List<ScheduleRequest> requests = new ArrayList<>();
        for (final int size : sizes)
        {
            requests.addAll(Shapes.of(algorithm, size));
        }
        Collections.shuffle(requests, new Random(sizes.size()));
        return requests.parallelStream().unordered();
    }

    /** Returns the violations, or null. */
    private static String check(
        final Algorithm algorithm, final List<Schedule> schedules, final boolean keepsRankOrder)
    {
        final CheckReport report =
            ScheduleChecker.check(algorithm.collective(), schedules, Shapes.QUEUE_DEPTH, keepsRankOrder);
        return report.isRight() ? null : schedules.getFirst().request() + "\n" + report;
    }
}
