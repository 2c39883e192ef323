/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.Test;

import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

class OperationTest
{
    @Test
    void shouldComputeBusFactors()
    {
        assertEquals(0.0, Operation.ALLREDUCE.busFactor(1));
        assertEquals(1.0, Operation.ALLREDUCE.busFactor(2));
        assertEquals(1.5, Operation.ALLREDUCE.busFactor(4));
        assertEquals(1.75, Operation.ALLREDUCE.busFactor(8));
        assertEquals(1.0, Operation.BROADCAST.busFactor(4));
        assertEquals(1.0, Operation.REDUCE.busFactor(4));
        assertEquals(1.0, Operation.SENDRECV.busFactor(4));
        assertEquals(0.75, Operation.ALLGATHER.busFactor(4));
        assertEquals(0.75, Operation.REDUCE_SCATTER.busFactor(4));
        assertEquals(0.75, Operation.ALLTOALL.busFactor(4));
        assertEquals(0.75, Operation.GATHER.busFactor(4));
        assertEquals(0.75, Operation.SCATTER.busFactor(4));
        Stream.of(Operation.values()).forEach(
            operation -> assertEquals(operation.even().busFactor(4), operation.busFactor(4), operation.label()));
    }

    @Test
    void shouldComputeBandwidthInDecimalGigabytes()
    {
        final Measurement measurement =
            Measurement.of(Operation.ALLREDUCE, 4, 1_000_000, 500.0, Measurement.UNCHECKED, null, null, 0);

        assertEquals(2.0, measurement.algBw(), 1e-12);
        assertEquals(3.0, measurement.busBw(), 1e-12);
    }
}
