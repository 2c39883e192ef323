/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/** Tests the checker's reports of small mistakes; {@link MutationTest} tests that it detects all of them. */
class ScheduleCheckerTest
{
    private static final int DEPTH = 8;
    private static final ScheduleRequest PAIR = new ScheduleRequest(0, 2, 2, 0, false, 2, 1);

    /** Steps of rank 0: PUT, WAIT, REDUCE. */
    private static String checkPair(final Consumer<EditableSchedule> mistake)
    {
        final List<Schedule> schedules = new ArrayList<>(
            Shapes.schedules(Algorithms.named(Collective.ALLREDUCE, "recursive_doubling"), PAIR));
        final EditableSchedule first = new EditableSchedule(schedules.getFirst());
        mistake.accept(first);
        schedules.set(0, first.build());
        return ScheduleChecker.check(Collective.ALLREDUCE, schedules, DEPTH).toString();
    }

    @Test
    void shouldReportNoViolationsWhenSchedulesAreCorrect()
    {
        assertEquals("no violations, at most 1 arrivals outstanding", checkPair((schedule) -> {}));
    }

    @Test
    void shouldReportArrivalWithoutWait()
    {
        assertEquals(
            "rank 1, step 0: PUT to rank 0 on channel 0, which never waits for it",
            checkPair((schedule) -> schedule.drop(schedule.steps.get(1))));
    }

    @Test
    void shouldReportWaitWithoutArrival()
    {
        assertEquals(
            "rank 1, step 1: WAIT for rank 0 on channel 0, which sends no such arrival",
            checkPair((schedule) -> schedule.drop(schedule.steps.get(0))));
    }

    @Test
    void shouldReportAccessOutOfBounds()
    {
        assertEquals(
            "rank 0, step 0, element 1: PUT of 2 elements at INPUT[1] exceeds its length 2",
            checkPair((schedule) -> schedule.steps.get(0).sourceOffset = 1));
    }

    @Test
    void shouldReportUnknownPeer()
    {
        assertEquals(
            "rank 0, step 0: PUT with rank 2: no such peer",
            checkPair((schedule) -> schedule.steps.get(0).peer = 2));
    }

    @Test
    void shouldReportWriteToInput()
    {
        assertEquals(
            "rank 0, step 2, element 0: REDUCE writes INPUT",
            checkPair((schedule) -> schedule.steps.get(2).destination = INPUT));
    }

    @Test
    void shouldReportReadNotOrderedAfterArrival()
    {
        assertEquals(
            "rank 0, step 2, element 0: reads SCRATCH of rank 0 not ordered with step 0 of rank 1, which writes it",
            checkPair((schedule) -> schedule.steps.get(2).dependencies.clear()));
    }

    @Test
    void shouldReportPutIntoOutputWithoutExposure()
    {
        assertTrue(checkPair((schedule) -> schedule.steps.get(0).destination = OUTPUT).startsWith(
            "rank 0, step 0, element 0: PUT into OUTPUT of rank 1 is not ordered after its exposure"));
    }

    @Test
    void shouldReportUnfinishedResult()
    {
        assertEquals(
            """
            rank 0, element 0: OUTPUT is not finished
            rank 0, element 1: OUTPUT is not finished
            rank 1, element 0: OUTPUT is combined in a different order than on rank 0
            rank 1, element 1: OUTPUT is combined in a different order than on rank 0""",
            checkPair((schedule) -> schedule.steps.get(2).flag = false));
    }

    @Test
    void shouldReportInputThatIsCombinedTwice()
    {
        assertTrue(checkPair((schedule) ->
        {
            schedule.steps.get(2).source = INPUT;
            schedule.steps.get(2).second = INPUT;
        }).startsWith("rank 0, step 2, element 0: combines inputs of ranks {0} with those of {0}"));
    }

    @Test
    void shouldReportCombinationOfDifferentElements()
    {
        assertTrue(checkPair((schedule) ->
        {
            schedule.steps.get(2).count = 1;
            schedule.steps.get(2).sourceOffset = 1;
        }).startsWith("rank 0, step 2, element 0: combines elements 1 and 0"));
    }

    @Test
    void shouldReportDestinationThatPartiallyOverlapsItsSource()
    {
        final ScheduleBuilder steps = new ScheduleBuilder(new ScheduleRequest(0, 1, 3, 0, true, 3, 1));
        steps.copy(OUTPUT.at(0), OUTPUT.at(1), 2);

        assertEquals(
            "rank 0, step 0, element 1: partially overlaps its own source in OUTPUT",
            ScheduleChecker.check(Collective.ALLREDUCE, List.of(steps.build()), DEPTH).toString());
    }

    @Test
    void shouldReportDeadlock()
    {
        assertEquals(
            "rank 0, step 0: deadlock: waits forever for rank 1 on channel 0\n" +
            "rank 1, step 0: deadlock: waits forever for rank 0 on channel 0",
            checkBarrier((steps, peer) ->
            {
                steps.await(peer, 0);
                steps.signal(peer, 0);
            }));
    }

    @Test
    void shouldReportBarrierThatRanksMayLeaveTooEarly()
    {
        assertEquals(
            "rank 0: may leave the barrier before rank 1 enters it\n" +
            "rank 1: may leave the barrier before rank 0 enters it",
            checkBarrier((steps, peer) -> {}));
    }

    @Test
    void shouldReportMoreArrivalsThanTheQueueHolds()
    {
        assertEquals(
            "rank 0, step 8: SIGNAL can be arrival number 9 that rank 1 has not waited for, the queue holds 8\n" +
            "rank 1, step 8: SIGNAL can be arrival number 9 that rank 0 has not waited for, the queue holds 8",
            checkBarrier((steps, peer) ->
            {
                for (int i = 0; i < DEPTH + 1; i++)
                {
                    steps.signal(peer, 0);
                }
                for (int i = 0; i < DEPTH + 1; i++)
                {
                    steps.await(peer, 0);
                }
            }));
    }

    @Test
    void shouldReportRanksThatCombineInDifferentOrders()
    {
        final List<Schedule> schedules = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++)
        {
            final ScheduleBuilder steps = new ScheduleBuilder(new ScheduleRequest(rank, 3, 1, 0, false, 1, 1));
            final int[] others = {(rank + 1) % 3, (rank + 2) % 3};
            steps.scratch(2);
            steps.put(others[0], 0, INPUT.at(0), SCRATCH.at(0), 1);
            steps.put(others[1], 0, INPUT.at(0), SCRATCH.at(1), 1);
            final int first = steps.await(others[1], 0);
            final int second = steps.await(others[0], 0);
            final int sum = steps.reduce(INPUT.at(0), SCRATCH.at(0), OUTPUT.at(0), 1, false, first);
            steps.reduce(OUTPUT.at(0), SCRATCH.at(1), OUTPUT.at(0), 1, true, second, sum);
            schedules.add(steps.build());
        }

        assertEquals(
            "rank 1, element 0: OUTPUT is combined in a different order than on rank 0\n" +
            "rank 2, element 0: OUTPUT is combined in a different order than on rank 0",
            ScheduleChecker.check(Collective.ALLREDUCE, schedules, DEPTH).toString());
    }

    @Test
    void shouldReportBroadcastThatDoesNotReachARank()
    {
        final List<Schedule> schedules = List.of(
            new ScheduleBuilder(PAIR).build(), new ScheduleBuilder(PAIR.withRank(1)).build());

        assertEquals(
            "rank 1, element 0: OUTPUT is not defined\nrank 1, element 1: OUTPUT is not defined",
            ScheduleChecker.check(Collective.BROADCAST, schedules, DEPTH).toString());
    }

    @Test
    void shouldReportSchedulesOfDifferentRequests()
    {
        final List<Schedule> schedules = List.of(
            new ScheduleBuilder(PAIR).build(), new ScheduleBuilder(PAIR).scratch(1).build());

        assertEquals(
            "rank 1: made for " + PAIR + ", must be " + PAIR.withRank(1),
            ScheduleChecker.check(Collective.BARRIER, schedules, DEPTH).toString());
    }

    @Test
    void shouldLimitNumberOfViolations()
    {
        final CheckReport report = ScheduleChecker.check(
            Collective.ALLREDUCE,
            List.of(new ScheduleBuilder(new ScheduleRequest(0, 1, 1000, 0, false, 1, 1)).build()), DEPTH);

        assertFalse(report.isRight());
        assertEquals(CheckReport.MAX_VIOLATIONS, report.violations().size());
    }

    /** Steps of one of two ranks. */
    private interface Steps
    {
        void write(ScheduleBuilder steps, int peer);
    }

    private static String checkBarrier(final Steps steps)
    {
        final List<Schedule> schedules = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++)
        {
            final ScheduleRequest request = new ScheduleRequest(rank, 2, 0, 0, false, 1, 1);
            final ScheduleBuilder builder = new ScheduleBuilder(request);
            steps.write(builder, 1 - rank);
            schedules.add(builder.build());
        }
        return ScheduleChecker.check(Collective.BARRIER, schedules, DEPTH).toString();
    }
}
