/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class InterpreterTest
{
    private static final int RUNS = 200;

    @Test
    void shouldReportEarlyExitWhenBarrierLacksItsLastRound()
    {
        final List<Schedule> whole = Shapes.schedules(
            Algorithms.named(Collective.BARRIER, "dissemination"), new ScheduleRequest(0, 4, 0, 0, false, 1, 1));
        final List<Schedule> broken = whole.stream().map((schedule) ->
        {
            final EditableSchedule editable = new EditableSchedule(schedule);
            editable.drop(editable.steps.getLast());
            editable.drop(editable.steps.getLast());
            return editable.build();
        }).toList();

        assertEquals(0, runsWithEarlyExit(whole));
        assertTrue(runsWithEarlyExit(broken) > 0);
    }

    private static long runsWithEarlyExit(final List<Schedule> schedules)
    {
        return IntStream.range(0, RUNS).filter((seed) ->
        {
            final Interpreter interpreter =
                new Interpreter(
                    Collective.BARRIER, schedules, new double[schedules.size()][0], new Random(seed), false);
            interpreter.run();
            return interpreter.leftEarly();
        }).count();
    }
}
