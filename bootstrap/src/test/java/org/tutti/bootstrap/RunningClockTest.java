/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

class RunningClockTest
{
    @Test
    void shouldAdvanceWhileProcessRuns()
    {
        final RunningClock clock = new RunningClock(1000);

        assertEquals(100, clock.advance(1100));
        assertEquals(100, clock.advance(1100));
        assertEquals(1_000_100, clock.advance(1_001_100));
    }

    @Test
    void shouldLimitAdvanceAfterPause()
    {
        final RunningClock clock = new RunningClock(0);

        final long afterPauseNs = clock.advance(TimeUnit.HOURS.toNanos(8));

        assertTrue(afterPauseNs <= TimeUnit.SECONDS.toNanos(1));
        assertEquals(afterPauseNs + 5, clock.advance(TimeUnit.HOURS.toNanos(8) + 5));
    }
}
