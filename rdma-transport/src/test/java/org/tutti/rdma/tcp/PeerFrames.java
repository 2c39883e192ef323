/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.tcp.wire.Fpdu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.zip.CRC32C;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/** Builds the frames of a peer, also wrong ones, and checks those of the side under test. Used by one thread. */
final class PeerFrames
{
    private final MemorySegment memory = Arena.ofAuto().allocate(1 << 17, 8);
    private final boolean isCrcUsed;

    PeerFrames(final boolean isCrcUsed)
    {
        this.isCrcUsed = isCrcUsed;
    }

    /** A frame without CRC and pad: a header, of which the caller may change any byte, and a payload. */
    byte[] tagged(
        final int opcode, final boolean isLast, final int stag, final long offset, final byte[] payload)
    {
        Fpdu.putTagged(memory.address(), opcode, isLast, stag, offset, payload.length);
        return with(Fpdu.TAGGED_HEADER, payload);
    }

    /** As {@link #tagged}, for an untagged frame; the offset is that in the message. */
    byte[] untagged(final int opcode, final boolean isLast, final int msn, final int offset, final byte[] payload)
    {
        final int queue = switch (opcode)
        {
            case Fpdu.READ_REQUEST, Fpdu.ATOMIC_REQUEST -> Fpdu.READ_QUEUE;
            case Fpdu.TERMINATE -> Fpdu.TERMINATE_QUEUE;
            case Fpdu.ATOMIC_RESPONSE -> Fpdu.ATOMIC_RESPONSE_QUEUE;
            default -> Fpdu.SEND_QUEUE;
        };
        Fpdu.putUntagged(memory.address(), opcode, isLast, queue, msn, offset, payload.length);
        return with(Fpdu.UNTAGGED_HEADER, payload);
    }

    /** Changes a frame into one that announces the next ones. */
    byte[] announcing(final int count, final byte[] frame)
    {
        MemorySegment.copy(frame, 0, memory, JAVA_BYTE, 0, Fpdu.TAGGED_HEADER);
        Fpdu.announce(memory.address(), count);
        return with(Fpdu.TAGGED_HEADER, Arrays.copyOfRange(frame, Fpdu.TAGGED_HEADER, frame.length));
    }

    private byte[] with(final int header, final byte[] payload)
    {
        final byte[] frame = Arrays.copyOf(memory.asSlice(0, header).toArray(JAVA_BYTE), header + payload.length);
        System.arraycopy(payload, 0, frame, header, payload.length);
        return frame;
    }

    /**
     * Adds pad and CRC.
     *
     * @param frame   header and payload.
     * @param crcFlip bits of the CRC to invert, 0 for a right one.
     */
    byte[] sealed(final byte[] frame, final int crcFlip)
    {
        final int padded = frame.length + Fpdu.pad(frame.length);
        final byte[] sealed = Arrays.copyOf(frame, padded + Fpdu.CRC_SIZE);
        final int crc = (isCrcUsed ? crc(sealed, 0, padded) : 0) ^ crcFlip;
        for (int i = 0; i < Fpdu.CRC_SIZE; i++)
        {
            sealed[padded + i] = (byte)(crc >>> (8 * i));
        }
        return sealed;
    }

    private static int crc(final byte[] bytes, final int from, final int length)
    {
        final CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int)crc.getValue();
    }

    /**
     * Copies the next frame of a stream to native memory, and checks that it is valid.
     *
     * @param stream bytes of the side under test.
     * @param from   start of the frame.
     * @return length with pad and CRC, or 0 if the frame is incomplete.
     */
    int next(final byte[] stream, final int from)
    {
        if (stream.length - from < Fpdu.LENGTH_SIZE)
        {
            return 0;
        }
        final int length = Fpdu.LENGTH_SIZE + ((stream[from] & 0xFF) << 8 | (stream[from + 1] & 0xFF));
        final int padded = length + Fpdu.pad(length);
        if (stream.length - from < padded + Fpdu.CRC_SIZE)
        {
            return 0;
        }
        MemorySegment.copy(stream, from, memory, JAVA_BYTE, 0, padded + Fpdu.CRC_SIZE);
        final int crc = isCrcUsed ? crc(stream, from, padded) : 0;
        if (!Fpdu.isValid(address()) || length < Fpdu.headerLength(address()) ||
            Fpdu.getCrc(address() + padded) != crc)
        {
            throw new AssertionError("the frame written at " + from + " is not valid");
        }
        return padded + Fpdu.CRC_SIZE;
    }

    /** The address of the frame that {@link #next} copied. */
    long address()
    {
        return memory.address();
    }
}
