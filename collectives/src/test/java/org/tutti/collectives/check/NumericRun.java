/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Runs schedules on random numbers under a random interleaving, and compares with a sequential reference. */
final class NumericRun
{
    private NumericRun()
    {
    }

    static void assertRight(
        final Collective collective, final List<Schedule> schedules, final Random random, final String name)
    {
        final ScheduleRequest request = schedules.getFirst().request();
        final double[][] inputs = new double[request.size()][(int)request.count()];
        final double[] sums = new double[(int)request.count()];
        for (int rank = 0; rank < request.size(); rank++)
        {
            for (int i = 0; i < sums.length; i++)
            {
                inputs[rank][i] = random.nextInt(1 << 20);
                sums[i] += inputs[rank][i] / request.size();
            }
        }

        final Interpreter interpreter = new Interpreter(schedules, inputs, random, random.nextBoolean());
        final double[][] outputs = interpreter.run();

        assertFalse(collective == Collective.BARRIER && interpreter.leftEarly(), () -> name + ": left early");
        for (int rank = 0; rank < request.size(); rank++)
        {
            final boolean broadcast = collective == Collective.BROADCAST;
            assertArrayEquals(
                broadcast ? inputs[request.root()] : sums, outputs[rank], broadcast ? 0 : 1e-6,
                name + " rank=" + rank);
        }
    }
}
