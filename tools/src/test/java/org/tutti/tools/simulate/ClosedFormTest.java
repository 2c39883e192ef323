/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.schedule.Collective;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Compares simulations with the known costs of algorithms, where a message of n bytes takes alpha + n beta and nothing
 * else takes time. A call ends when the last sender has its completion, one latency after the arrival.
 */
class ClosedFormTest
{
    private static final double ALPHA = 1e-6;
    private static final double BETA = 1e-9;
    private static final double ACKNOWLEDGED = ALPHA;
    private static final double PRECISION = 1e-12;

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7, 16, 33, 64})
    void shouldMatchCostOfRingAllreduce(final int size)
    {
        final long count = 1000L * size;
        final double bytes = count * Calls.ELEMENT;

        final double seconds = full(Collective.ALLREDUCE, "ring", size, count, count, 4);

        assertEquals(2 * (size - 1) * (ALPHA + bytes / size * BETA) + ACKNOWLEDGED, seconds, PRECISION);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 64})
    void shouldMatchCostOfRecursiveDoubling(final int size)
    {
        final long count = 5000;

        final double seconds = full(Collective.ALLREDUCE, "recursive_doubling", size, count, count, 2);

        final int rounds = Integer.numberOfTrailingZeros(size);
        assertEquals(rounds * (ALPHA + count * Calls.ELEMENT * BETA) + ACKNOWLEDGED, seconds, PRECISION);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 17, 64, 100})
    void shouldMatchCostOfDisseminationBarrier(final int size)
    {
        final double seconds = full(Collective.BARRIER, "dissemination", size, 0, 1, 1);

        assertEquals(rounds(size) * ALPHA, seconds, PRECISION);
    }

    /** A rank sends to its children one after another, so bytes count once per child. */
    @ParameterizedTest
    @CsvSource({"2, 1", "4, 2", "8, 3", "16, 4", "64, 6"})
    void shouldMatchCostOfBinomialBroadcast(final int size, final int rounds)
    {
        final long count = 5000;

        final double seconds = full(Collective.BROADCAST, "binomial", size, count, count, 8);

        assertEquals(rounds * (ALPHA + count * Calls.ELEMENT * BETA) + ACKNOWLEDGED, seconds, PRECISION);
    }

    @ParameterizedTest
    @CsvSource({"2, 8", "3, 8", "8, 20", "33, 50"})
    void shouldMatchCostOfChainPipeline(final int size, final int segments)
    {
        final long segment = 5000;

        final double seconds = full(Collective.BROADCAST, "chain", size, segments * segment, segment, 1 << 20);

        final double perSegment = segment * Calls.ELEMENT * BETA;
        // First, the children announce where their OUTPUT is.
        assertEquals(
            ALPHA + (size - 1) * (ALPHA + perSegment) + (segments - 1) * perSegment + ACKNOWLEDGED, seconds,
            PRECISION);
    }

    private static double full(
        final Collective collective, final String name, final int size, final long count, final long segment,
        final int window)
    {
        return Calls.simulator(Calls.ALPHA_BETA, "flat", size)
            .full(Calls.of(collective, name, size, count, segment, window)).seconds();
    }

    private static int rounds(final int size)
    {
        return size == 1 ? 0 : 32 - Integer.numberOfLeadingZeros(size - 1);
    }
}
