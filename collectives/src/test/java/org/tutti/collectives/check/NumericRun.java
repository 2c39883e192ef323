/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;
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
        final List<ScheduleRequest> requests = schedules.stream().map(Schedule::request).toList();
        final double[][] inputs = new double[requests.size()][];
        for (int rank = 0; rank < inputs.length; rank++)
        {
            final long count = collective.inputCount(requests.get(rank));
            inputs[rank] = random.ints(count, 0, 1 << 20).asDoubleStream().toArray();
        }

        final Interpreter interpreter = new Interpreter(collective, schedules, inputs, random, random.nextBoolean());
        final double[][] outputs = interpreter.run();

        assertFalse(collective == Collective.BARRIER && interpreter.leftEarly(), () -> name + ": left early");
        for (int rank = 0; rank < inputs.length; rank++)
        {
            final double[] expected = new double[outputs[rank].length];
            final boolean[] isAny = new boolean[expected.length];
            expect(collective, requests, inputs, rank, expected, isAny);
            for (int i = 0; i < expected.length; i++)
            {
                expected[i] = isAny[i] ? outputs[rank][i] : expected[i];
            }
            assertArrayEquals(expected, outputs[rank], 1e-6, name + " rank=" + rank);
        }
    }

    private static void expect(
        final Collective collective, final List<ScheduleRequest> requests, final double[][] inputs, final int rank,
        final double[] expected, final boolean[] isAny)
    {
        final ScheduleRequest request = requests.get(rank);
        final int size = inputs.length;
        switch (collective)
        {
            case ALLREDUCE, REDUCE -> sum(inputs, 0, size, 0, expected, size);
            case REDUCE_SCATTER -> sum(inputs, 0, size, (int)request.blocks().offset(rank), expected, size);
            case SCAN -> sum(inputs, 0, rank + 1, 0, expected, 1);
            case EXSCAN ->
            {
                sum(inputs, 0, rank, 0, expected, 1);
                Arrays.fill(isAny, rank == 0);
            }
            case BROADCAST -> copy(inputs[request.root()], 0, expected, 0, expected.length, isAny);
            case SCATTER, SCATTERV -> copy(
                inputs[request.root()], requests.get(request.root()).blocks().offset(rank),
                expected, 0, expected.length, isAny);
            case ALLGATHER, GATHER, GATHERV, ALLTOALL, ALLTOALLV ->
            {
                final boolean gathers = collective.gathers();
                Arrays.fill(isAny, true);
                for (int peer = 0; expected.length > 0 && peer < size; peer++)
                {
                    copy(
                        inputs[peer], gathers ? 0 : requests.get(peer).blocks().offset(rank),
                        expected, request.received().offset(peer), request.received().length(peer), isAny);
                }
            }
            case BARRIER ->
            {
                // No elements.
            }
        }
    }

    private static void sum(
        final double[][] inputs, final int from, final int to, final int offset, final double[] sums,
        final int divisor)
    {
        for (int i = 0; i < sums.length; i++)
        {
            for (int rank = from; rank < to; rank++)
            {
                sums[i] += inputs[rank][offset + i];
            }
            sums[i] /= divisor;
        }
    }

    private static void copy(
        final double[] input, final long from, final double[] expected, final long to, final long length,
        final boolean[] isAny)
    {
        System.arraycopy(input, (int)from, expected, (int)to, (int)length);
        Arrays.fill(isAny, (int)to, (int)(to + length), false);
    }
}
