/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.queue;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RetryTimerTest
{
    private static final int WHY = -1;
    private static final int OTHER = -2;

    private final RetryTimer timer = new RetryTimer();

    /** Values of table 45 of the InfiniBand Architecture Specification, volume 1. */
    @Test
    void shouldDecodeTheRnrTimerAsSpecified()
    {
        assertEquals(655_360_000L, RetryTimer.rnrDelayNs(0));
        assertEquals(10_000L, RetryTimer.rnrDelayNs(1));
        assertEquals(640_000L, RetryTimer.rnrDelayNs(12));
        assertEquals(1_280_000L, RetryTimer.rnrDelayNs(14));
        assertEquals(491_520_000L, RetryTimer.rnrDelayNs(31));
    }

    @Test
    void shouldDecodeTheAcknowledgeTimeoutAsSpecified()
    {
        assertEquals(8_192L, RetryTimer.acknowledgeTimeoutNs(1));
        assertEquals(67_108_864L, RetryTimer.acknowledgeTimeoutNs(14));
        assertEquals(8_796_093_022_208L, RetryTimer.acknowledgeTimeoutNs(31));
    }

    @Test
    void shouldBeExhaustedImmediatelyWhenNoRetriesAreSet()
    {
        assertTrue(timer.isExhausted(WHY, 0, 100, 0));
    }

    @Test
    void shouldCountExpirationsAndNotAttempts()
    {
        assertFalse(timer.isExhausted(WHY, 0, 100, 2));
        assertFalse(timer.isExhausted(WHY, 50, 100, 2));
        assertFalse(timer.isExhausted(WHY, 100, 100, 2));
        assertFalse(timer.isExhausted(WHY, 199, 100, 2));
        assertTrue(timer.isExhausted(WHY, 200, 100, 2));
    }

    @Test
    void shouldRestartCountWhenReasonChanges()
    {
        assertFalse(timer.isExhausted(WHY, 0, 100, 1));
        assertFalse(timer.isExhausted(OTHER, 100, 100, 1));
        assertTrue(timer.isExhausted(OTHER, 200, 100, 1));
    }

    @Test
    void shouldNeverBeExhaustedWhenRetriesAreUnlimited()
    {
        for (long now = 0; now < 100_000; now += 100)
        {
            assertFalse(timer.isExhausted(WHY, now, 100, RetryTimer.FOREVER));
        }
    }

    @Test
    void shouldPauseBrieflyWhenTimerIsLong()
    {
        timer.isExhausted(WHY, 0, 10_000_000_000L, 1);
        assertEquals(RetryTimer.MAX_PAUSE_NS, timer.pauseNs(0));
        assertEquals(1, timer.pauseNs(20_000_000_000L));
    }
}
