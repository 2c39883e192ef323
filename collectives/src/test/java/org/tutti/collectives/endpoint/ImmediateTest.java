/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.schedule.Schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ImmediateTest
{
    @Test
    void shouldLayOutChannelRoundAndFingerprint()
    {
        final int immediate = Immediate.of(0xA, 0x3C, 0x12345);

        assertEquals(0xA3C12345, immediate);
        assertEquals(0xA, Immediate.channel(immediate));
        assertEquals(0x3C, Immediate.round(immediate));
        assertEquals(0x12345, Immediate.fingerprint(immediate));
    }

    @Test
    void shouldSendTheLowBitsOfARound()
    {
        assertEquals(0x0FF00001, Immediate.of(0, 0x1FF, 1));
        assertEquals(0xFF, Immediate.round(Immediate.of(15, -1, 0)));
    }

    @Test
    void shouldSeparateEngineChannelsFromScheduleChannels()
    {
        assertTrue(Immediate.CLOSE_CHANNEL >= Schedule.CHANNELS);
        assertTrue(Immediate.READY_CHANNEL >= Schedule.CHANNELS);
        assertEquals(15, Math.max(Immediate.CLOSE_CHANNEL, Immediate.READY_CHANNEL));
    }

    @Test
    void shouldDistinguishHelloFromEveryClose()
    {
        assertEquals(Immediate.CLOSE_CHANNEL, Immediate.channel(Immediate.HELLO));
        for (final long calls : new long[]{0, 1, (1L << 27) - 1, 1L << 27, 1L << 28, -1})
        {
            assertNotEquals(Immediate.HELLO, Immediate.ofClose(calls));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, -1", "0, 0", "1, 0", "7, 9", "134217727, 134217729", "134217729, 134217727", "134217728, 134217600",
        "5000000000, 4999999999", "4999999999, 5000000001"})
    void shouldDecodeNumberOfCalls(final long calls, final long near)
    {
        final int immediate = Immediate.ofClose(calls);

        assertEquals(Immediate.CLOSE_CHANNEL, Immediate.channel(immediate));
        assertEquals(calls, Immediate.calls(immediate, near));
    }
}
