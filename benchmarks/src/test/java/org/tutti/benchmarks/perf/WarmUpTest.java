/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.tutti.collectives.LocalJob;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class WarmUpTest
{
    @Test
    void shouldRunNothingWhenDisabled() throws Exception
    {
        assertEquals(List.of(0, 0), passes(WarmUp.NONE));
    }

    @Test
    void shouldStartNoPassAfterMaximumDuration() throws Exception
    {
        assertEquals(List.of(1, 1), passes(new WarmUp(Duration.ZERO, Duration.ofNanos(1))));
    }

    /** A slower rank would otherwise wait in a call that the other rank does not make. */
    @Test
    void shouldRunMinimumDurationWithSamePassesOnAllRanks() throws Exception
    {
        final Duration least = Duration.ofMillis(60);
        final long startNs = System.nanoTime();

        final List<Integer> passes = passes(new WarmUp(least, least));

        assertTrue(System.nanoTime() - startNs >= least.toNanos());
        assertTrue(passes.getFirst() >= 1 && passes.getFirst() <= least.toMillis(), passes::toString);
        assertEquals(passes.getFirst(), passes.getLast());
    }

    /** Number of passes of each of two ranks, the second of which takes at least a millisecond per pass. */
    private static List<Integer> passes(final WarmUp warmUp) throws Exception
    {
        return LocalJob.call(2, communicator ->
        {
            final AtomicInteger passes = new AtomicInteger();
            warmUp.run(communicator, () ->
            {
                passes.incrementAndGet();
                sleepMs(communicator.rank());
            });
            return passes.get();
        });
    }

    private static void sleepMs(final int ms)
    {
        try
        {
            Thread.sleep(ms);
        }
        catch (final InterruptedException e)
        {
            throw new AssertionError(e);
        }
    }
}
