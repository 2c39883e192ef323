/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HexFormat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the layout of frames, and that headers with any wrong bit of control are invalid. */
class FpduTest
{
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(128);
    private final long frame = MemorySegment.ofBuffer(buffer).address();

    private String bytes(final int length)
    {
        final byte[] copy = new byte[length];
        buffer.get(0, copy);
        return HexFormat.of().formatHex(copy);
    }

    @Test
    void shouldLayOutTaggedHeaderAsInTheSpecification()
    {
        Fpdu.putTagged(frame, Fpdu.WRITE, true, 0x01020304, 0x1112131415161718L, 5);

        assertEquals("0013" + "c1" + "40" + "01020304" + "1112131415161718", bytes(Fpdu.TAGGED_HEADER));
    }

    @Test
    void shouldLayOutUntaggedHeaderAsInTheSpecification()
    {
        Fpdu.putUntagged(frame, Fpdu.READ_REQUEST, true, Fpdu.READ_QUEUE, 7, 0, ReadRequest.SIZE);
        ReadRequest.put(frame + Fpdu.UNTAGGED_HEADER, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E);

        assertEquals("002e" + "41" + "41" + "00000000" + "00000001" + "00000007" + "00000000" +
            "0000000a" + "000000000000000b" + "0000000c" + "0000000d" + "000000000000000e",
            bytes(Fpdu.UNTAGGED_HEADER + ReadRequest.SIZE));
    }

    @Property(tries = 200)
    void shouldReadWhatWasWritten(@ForAll @IntRange(max = 2) final int opcode, @ForAll final boolean isLast,
        @ForAll final int stag, @ForAll final long offset, @ForAll @IntRange(max = 65_504) final int payload)
    {
        final int tagged = opcode == Fpdu.READ_REQUEST ? Fpdu.WRITE : opcode;
        Fpdu.putTagged(frame, tagged, isLast, stag, offset, payload);
        assertTrue(Fpdu.isValid(frame) && Fpdu.isTagged(frame));
        assertEquals(tagged, Fpdu.opcode(frame));
        assertEquals(isLast, Fpdu.isLast(frame));
        assertEquals(stag, Fpdu.stag(frame));
        assertEquals(offset, Fpdu.taggedOffset(frame));
        assertEquals(Fpdu.TAGGED_HEADER + payload, Fpdu.length(frame));

        Fpdu.putUntagged(frame, Fpdu.SEND, isLast, Fpdu.SEND_QUEUE, stag, payload, payload);
        assertTrue(Fpdu.isValid(frame) && !Fpdu.isTagged(frame));
        assertEquals(stag, Fpdu.msn(frame));
        assertEquals(payload, Fpdu.messageOffset(frame));
        assertEquals(Fpdu.UNTAGGED_HEADER + payload, Fpdu.length(frame));
    }

    @Test
    void shouldAcceptOnlyTheQueueAndTheTagOfEachOpcode()
    {
        int valid = 0;
        for (int control = 0; control < 256; control++)
        {
            for (int rdmap = 0; rdmap < 256; rdmap++)
            {
                for (int queue = 0; queue < 5; queue++)
                {
                    Fpdu.putUntagged(frame, 0, false, queue, 1, 0, 0);
                    buffer.put(2, (byte)control).put(3, (byte)rdmap);
                    if (Fpdu.isValid(frame))
                    {
                        valid++;
                        assertEquals(1, control & 0x3F);
                        assertEquals(0x40, rdmap & 0xC0);
                        assertTrue((rdmap & 0x30) == 0 || ((rdmap & 0xF) == Fpdu.WRITE && (control & 0x40) == 0));
                        assertTrue((rdmap & 0xF) <= Fpdu.ATOMIC_RESPONSE);
                    }
                }
            }
        }
        // Two tagged opcodes with any queue, ten untagged ones with one queue; each last or not; three announcements.
        assertEquals(2 * (2 * 5 + 10) + 3 * 5, valid);
    }

    @Test
    void shouldAnnounceInTheReservedBits()
    {
        final int[] counts = {0, 1, 3, Fpdu.MAX_ANNOUNCED};
        for (int bits = 0; bits < counts.length; bits++)
        {
            Fpdu.putTagged(frame, Fpdu.WRITE, false, 1, 2, 8);
            Fpdu.announce(frame, counts[bits]);

            assertEquals("%02x".formatted(0x40 | bits << 4), bytes(4).substring(6));
            assertEquals(counts[bits], Fpdu.announced(frame));
            assertEquals(Fpdu.WRITE, Fpdu.opcode(frame));
            assertTrue(Fpdu.isValid(frame));
        }
    }

    @ParameterizedTest
    @CsvSource({"0, false, 0", "0, false, 9", "0, true, 8", "2, false, 8"})
    void shouldAcceptNoAnnouncementOfAnotherSegment(final int opcode, final boolean isLast, final int payload)
    {
        Fpdu.putTagged(frame, opcode, isLast, 1, 2, payload);
        assertTrue(Fpdu.isValid(frame));

        Fpdu.announce(frame, 1);
        assertFalse(Fpdu.isValid(frame));
    }

    @Test
    void shouldRefuseMaskedAndUnknownAtomics()
    {
        AtomicRequest.put(frame, AtomicRequest.COMPARE_SWAP, 1, 2, 3, 4, 5);
        assertTrue(AtomicRequest.isSupported(frame));
        buffer.put(28, (byte)0);
        assertFalse(AtomicRequest.isSupported(frame));
        AtomicRequest.put(frame, AtomicRequest.FETCH_ADD, 1, 2, 3, 4, 5);
        assertTrue(AtomicRequest.isSupported(frame));
        buffer.put(3, (byte)1);
        assertFalse(AtomicRequest.isSupported(frame));
    }

    @Test
    void shouldComputeTheChecksumOfTheStandard()
    {
        // RFC 3720, section B.4: 32 bytes of zeros.
        final Checksum checksum = new Checksum(true);
        checksum.reset();
        checksum.add(ByteBuffer.allocateDirect(32));
        Fpdu.putCrc(frame, checksum.value());

        assertEquals("aa36918a", bytes(Fpdu.CRC_SIZE));
    }
}
