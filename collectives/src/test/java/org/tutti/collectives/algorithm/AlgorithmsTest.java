/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.schedule.StepKind;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AlgorithmsTest
{
    private static final long MANY = 1L << 30;

    static List<Algorithm> algorithms()
    {
        return Algorithms.all();
    }

    @Test
    void shouldReturnAlgorithmWhenCollectiveAndNameMatch()
    {
        for (final Algorithm algorithm : Algorithms.all())
        {
            assertSame(algorithm, Algorithms.named(algorithm.collective(), algorithm.name()));
        }
    }

    @Test
    void shouldListAlgorithmsWhenNameIsUnknown()
    {
        final IllegalArgumentException thrown = assertThrows(
            IllegalArgumentException.class, () -> Algorithms.named(Collective.BROADCAST, "ring"));

        assertEquals("unknown algorithm \"ring\" for broadcast: must be one of binomial, knomial_4, chain, " +
            "scatter_allgather, direct, hierarchical", thrown.getMessage());
    }

    /** Proofs for small counts then hold for large ones: the schedules differ only by a factor of all lengths. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldScaleAllLengthsWhenCountAndSegmentScale(final Algorithm algorithm)
    {
        for (int size = 1; size <= 6; size++)
        {
            for (int rank = 0; rank < size; rank++)
            {
                final ScheduleRequest small = new ScheduleRequest(rank, size, 12L * size, 0, false, 4, 2)
                    .withHosts(HostMap.inOrder(size, 2));
                final ScheduleRequest large = new ScheduleRequest(
                    rank, size, small.count() * MANY, 0, false, small.segment() * MANY, 2).withHosts(small.hosts());

                assertScaled(algorithm.generate(small), algorithm.generate(large));
            }
        }
    }

    private static void assertScaled(final Schedule small, final Schedule large)
    {
        assertEquals(small.stepCount(), large.stepCount());
        assertEquals(small.scratchCount() * MANY, large.scratchCount());
        for (int step = 0; step < small.stepCount(); step++)
        {
            final int at = step;
            assertEquals(small.kind(step), large.kind(step));
            assertEquals(small.sourceOffset(step) * MANY, large.sourceOffset(step));
            assertEquals(small.secondSourceOffset(step) * MANY, large.secondSourceOffset(step));
            assertEquals(small.destinationOffset(step) * MANY, large.destinationOffset(step));
            assertEquals(
                small.count(step) == Schedule.ALL ? Schedule.ALL : small.count(step) * MANY, large.count(step));
            assertEquals(
                IntStream.range(0, small.dependencyCount(step)).map((i) -> small.dependency(at, i)).boxed().toList(),
                IntStream.range(0, large.dependencyCount(step)).map((i) -> large.dependency(at, i)).boxed().toList());
        }
    }

    @Test
    void shouldThrowWhenSegmentsExceedMaximumOfSchedule()
    {
        final ScheduleRequest request = new ScheduleRequest(0, 2, 1L << 40, 0, false, 1, 2);

        final IllegalArgumentException thrown = assertThrows(
            IllegalArgumentException.class,
            () -> Algorithms.named(Collective.ALLREDUCE, "ring").generate(request));

        assertTrue(thrown.getMessage().contains("use longer segments"), thrown.getMessage());
    }

    @Test
    void shouldThrowWhenDirectSendsExceedMaximumOfSchedule()
    {
        for (final String name : List.of("one_shot", "two_shot"))
        {
            final ScheduleRequest request = new ScheduleRequest(0, 1000, 1L << 28, 0, false, 64, 1);

            final IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class,
                () -> Algorithms.named(Collective.ALLREDUCE, name).generate(request));

            assertTrue(thrown.getMessage().startsWith(name + " on 1000 ranks needs up to "), thrown.getMessage());
        }
    }

    @Test
    void shouldReduceInThreeStepsWithoutCopyOfInputWhenTwoRanks()
    {
        final Algorithm algorithm = Algorithms.named(Collective.ALLREDUCE, "recursive_doubling");

        final Schedule schedule = algorithm.generate(new ScheduleRequest(1, 2, 1, 0, false, 1024, 4));

        assertEquals(List.of(StepKind.PUT, StepKind.WAIT, StepKind.REDUCE), kinds(schedule));
        assertEquals(BufferId.INPUT, schedule.source(0));
        assertEquals(BufferId.OUTPUT, schedule.destination(2));
        assertEquals(1, schedule.scratchCount());
        assertEquals(1, schedule.dependencyCount(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 8})
    void shouldSendMinimumOfDataWhenRing(final int size)
    {
        final Algorithm algorithm = Algorithms.named(Collective.ALLREDUCE, "ring");
        final long count = 1L << 24;

        final Schedule schedule = algorithm.generate(new ScheduleRequest(0, size, count, 0, true, 1L << 16, 4));

        assertTrue(sent(schedule) <= 2 * (count / size + 1) * (size - 1), "sent=" + sent(schedule));
        assertTrue(schedule.stepCount() < 6 * (2 * 256 + 2L * size), "steps=" + schedule.stepCount());
        assertEquals(4L << 16, schedule.scratchCount());
    }

    @Test
    void shouldSendDataAtMostTwiceWhenDoubleBinaryTree()
    {
        final Algorithm algorithm = Algorithms.named(Collective.ALLREDUCE, "double_binary_tree");
        final long count = 1L << 16;
        for (int rank = 0; rank < 16; rank++)
        {
            final Schedule schedule = algorithm.generate(new ScheduleRequest(rank, 16, count, 0, true, 1L << 10, 4));

            assertTrue(sent(schedule) <= 2 * count, "rank=" + rank + " sent=" + sent(schedule));
        }
    }

    private static long sent(final Schedule schedule)
    {
        return steps(schedule).filter((step) -> schedule.kind((int)step) == StepKind.PUT)
            .map((step) -> schedule.count((int)step)).sum();
    }

    private static List<StepKind> kinds(final Schedule schedule)
    {
        return steps(schedule).mapToObj((step) -> schedule.kind((int)step)).toList();
    }

    private static LongStream steps(final Schedule schedule)
    {
        return LongStream.range(0, schedule.stepCount());
    }
}
