/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.schedule.Collective;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

class ControlBlockTest
{
    private static final int RANKS = 3;
    private static final int SLOTS = 4;

    private final UnsafeBuffer buffer =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(ControlBlock.length(RANKS, SLOTS), 64));
    private final ControlBlock control = new ControlBlock(buffer, SLOTS);

    @Test
    void shouldHaveRoomForExposuresOfEachRankAfterSixteenCalls()
    {
        assertEquals(2112 + 64 * RANKS * SLOTS, ControlBlock.length(RANKS, SLOTS));
        assertEquals(2112 + 2 * 4 * 64, ControlBlock.exposureOffset(2, SLOTS));
    }

    @Test
    void shouldLayOutACall()
    {
        control.clear();
        control.enter(
            18, CallDescription.of(Collective.BROADCAST, DataType.INT64, ReduceOp.MAX, 1L << 40, 5, 0xABCDEF));
        control.finish(17);

        final ByteBuffer expected = ByteBuffer.allocate(2112).order(ByteOrder.nativeOrder());
        expected.putLong(18).putLong(17).putLong(-1);
        for (int slot = 0; slot < 16; slot++)
        {
            expected.putLong(64 + slot * 128, -1);
        }
        expected.position(64 + 2 * 128);
        expected.putLong(18)
            .putInt(Collective.BROADCAST.ordinal()).putInt(5).putLong(1L << 40).putInt(0xABCDEF).putInt(0)
            .put((byte)5).put("int64".getBytes(US_ASCII)).position(64 + 2 * 128 + 64);
        expected.put((byte)3).put("max".getBytes(US_ASCII));
        for (int i = 0; i < expected.capacity(); i++)
        {
            assertEquals(expected.get(i), buffer.getByte(i), "byte " + i);
        }
    }

    @Test
    void shouldStoreNumberOfCallsWhenClosed()
    {
        control.clear();
        assertEquals(-1, control.closed());
        control.close(7);

        assertEquals(7, control.closed());
        assertEquals(7, new ControlBlock(new UnsafeBuffer(control.copy())).closed());
    }

    @Test
    void shouldReadBackTheLastSixteenCalls()
    {
        control.clear();
        assertEquals(-1, control.entered());
        assertEquals(-1, control.finished());
        assertNull(control.call(-1));
        assertNull(control.call(0));
        final CallDescription barrier = CallDescription.of(Collective.BARRIER, null, null, 0, 0, 1);
        for (int sequence = 0; sequence < 20; sequence++)
        {
            control.enter(sequence, sequence == 19 ? barrier :
                CallDescription.of(Collective.ALLREDUCE, DataType.FLOAT32, ReduceOp.SUM, sequence, 0, 2));
        }

        assertNull(control.call(3));
        assertEquals(4, control.call(4).count());
        assertEquals(barrier, control.call(19));
        assertNull(control.call(20));
        assertEquals(19, control.entered());
    }

    @Test
    void shouldReadExposureOfAPeer()
    {
        final int offset = ControlBlock.exposureOffset(1, SLOTS) + 3 * 64;
        buffer.putLong(offset, 0x7F0012345678L);
        buffer.putLong(offset + 8, 4096);
        buffer.putInt(offset + 16, 0xCAFE);

        assertEquals(0x7F0012345678L, control.exposedAddress(1, 3));
        assertEquals(4096, control.exposedLength(1, 3));
        assertEquals(0xCAFE, control.exposedRkey(1, 3));
    }
}
