/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.tutti.rdma.tcp.wire.Checksum;
import org.tutti.rdma.tcp.wire.Fpdu;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;

/**
 * Reads a stream into a buffer that holds whole frames, and the rest of a long payload directly to where it belongs.
 * Used by one thread at a time; allocates nothing after its first use.
 */
final class FrameReader
{
    private static final int SIZE = (2 * Fpdu.MAX_SIZE) & -8;
    /** Bytes that are read into the buffer behind a payload: what follows may be a long payload, too. */
    private static final int AHEAD = 4096;

    private final Checksum checksum;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
    private final long address = MemorySegment.ofBuffer(buffer).address();
    private final ByteBuffer checked = buffer.duplicate();
    private final ByteBuffer moved = buffer.duplicate();
    private final ByteBuffer[] targets = new ByteBuffer[2];
    private final AddressViews views = new AddressViews(1);
    private final AddressViews checkedViews = new AddressViews(1);
    private int start;
    private int end;
    private long total;
    private boolean isEnded;

    FrameReader(final Checksum checksum)
    {
        this.checksum = checksum;
    }

    /** The number of bytes that were read and not consumed. */
    int available()
    {
        return end - start;
    }

    /** The address of the first byte that was not consumed; the next read may move it. */
    long address()
    {
        return address + start;
    }

    /** Whether the peer has ended the stream. */
    boolean isEnded()
    {
        return isEnded;
    }

    /** The number of bytes that were read from the socket. */
    long total()
    {
        return total;
    }

    void consume(final int length)
    {
        start += length;
    }

    /**
     * Reads more bytes if there is room.
     *
     * @param channel non-blocking channel.
     * @return true if bytes were read.
     * @throws IOException if the connection is broken.
     */
    boolean read(final ScatteringByteChannel channel) throws IOException
    {
        if (isEnded)
        {
            return false;
        }
        makeRoom();
        return end < SIZE && isRead(channel.read(buffer.limit(SIZE).position(end)), end);
    }

    private void makeRoom()
    {
        if (start == end)
        {
            start = 0;
            end = 0;
        }
        else if (start > 0 && SIZE - start < Fpdu.MAX_SIZE)
        {
            moved.limit(end).position(start);
            moved.compact();
            end -= start;
            start = 0;
        }
    }

    private boolean isRead(final long count, final int position)
    {
        if (count < 0)
        {
            isEnded = true;
            return false;
        }
        end = Math.max(position, buffer.position());
        total += count;
        return count > 0;
    }

    /**
     * Reads into memory, and what follows into the empty buffer.
     *
     * @param channel non-blocking channel.
     * @param target  address of the first byte.
     * @param length  length in bytes.
     * @return number of bytes of the memory that were read; the checksum includes them.
     * @throws IOException if the connection is broken.
     */
    int read(final ScatteringByteChannel channel, final long target, final int length) throws IOException
    {
        start = 0;
        end = 0;
        targets[0] = views.of(0, target, length);
        targets[1] = buffer.limit(AHEAD).position(0);
        final int before = targets[0].position();
        final long count = channel.read(targets);
        final int placed = targets[0].position() - before;
        isRead(count, 0);
        if (placed > 0)
        {
            checksum.add(checkedViews.of(0, target, placed));
        }
        return placed;
    }

    /**
     * Adds bytes of the buffer to the checksum.
     *
     * @param offset offset from the first byte that was not consumed.
     * @param length length in bytes.
     */
    void check(final int offset, final int length)
    {
        checksum.add(checked.limit(start + offset + length).position(start + offset));
    }

    /**
     * Whether the CRC of a whole frame in the buffer is right.
     *
     * @param offset offset of the frame from the first byte that was not consumed.
     * @param length length of the frame with its pad.
     * @return true if so, or if CRCs are switched off.
     */
    boolean isIntact(final int offset, final int length)
    {
        checksum.reset();
        check(offset, length);
        return checksum.value() == (checksum.isUsed() ? Fpdu.getCrc(address() + offset + length) : 0);
    }
}
