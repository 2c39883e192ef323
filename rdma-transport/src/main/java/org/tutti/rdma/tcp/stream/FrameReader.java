/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.agrona.UnsafeApi;
import org.tutti.rdma.tcp.wire.Checksum;
import org.tutti.rdma.tcp.wire.Fpdu;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import java.util.Arrays;

/**
 * Reads a stream into a buffer that holds whole frames, and the rest of a long payload directly to where it belongs.
 * Used by one thread at a time; allocates nothing after its first use.
 */
final class FrameReader
{
    private static final int SIZE = (2 * Fpdu.MAX_SIZE) & -8;
    /** Bytes that are read into the buffer behind a payload: what follows may be a long payload, too. */
    private static final int AHEAD = 4096;
    /** Bytes between the payloads of two announced frames: a CRC and a header. */
    private static final int BETWEEN = Fpdu.CRC_SIZE + Fpdu.TAGGED_HEADER;

    private final Checksum checksum;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
    private final long address = MemorySegment.ofBuffer(buffer).address();
    private final ByteBuffer checked = buffer.duplicate();
    private final ByteBuffer moved = buffer.duplicate();
    private final ByteBuffer[] betweens = new ByteBuffer[Fpdu.MAX_ANNOUNCED];
    private final ByteBuffer[] targets = new ByteBuffer[2 + 2 * Fpdu.MAX_ANNOUNCED];
    private final AddressViews views = new AddressViews(1 + Fpdu.MAX_ANNOUNCED);
    private final AddressViews checkedViews = new AddressViews(1);
    private int start;
    private int end;
    private long total;
    private boolean isEnded;
    /** Bytes of announced payloads that were read to their place and whose frames have not begun. */
    private long aheadAddress;
    private int aheadLength;

    FrameReader(final Checksum checksum)
    {
        this.checksum = checksum;
        Arrays.setAll(betweens, i -> buffer.duplicate());
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
     * @param isShort whether to read few bytes, as a long payload most likely follows.
     * @return true if bytes were read.
     * @throws IOException if the connection is broken.
     */
    boolean read(final ScatteringByteChannel channel, final boolean isShort) throws IOException
    {
        if (isEnded)
        {
            return false;
        }
        makeRoom();
        final int limit = isShort ? Math.min(SIZE, end + AHEAD) : SIZE;
        return end < limit && isRead(channel.read(buffer.limit(limit).position(end)), end);
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
     * Reads the rest of a payload into memory, the payloads of announced frames behind it, and all else into the empty
     * buffer: what is between the payloads, and what follows. If {@link #isAhead} afterwards, the CRC of the payload
     * and the header of the next frame are in the buffer; the caller consumes both and calls {@link #takeAhead}.
     *
     * @param channel   non-blocking channel.
     * @param target    address of the first byte.
     * @param length    length of the rest in bytes, greater than 0.
     * @param payload   length of the payload of each announced frame in bytes.
     * @param announced number of announced frames, from 0 to {@link Fpdu#MAX_ANNOUNCED}.
     * @return number of bytes of the rest that were read; the checksum includes them.
     * @throws IOException if the connection is broken.
     */
    int read(final ScatteringByteChannel channel, final long target, final int length, final int payload,
        final int announced) throws IOException
    {
        start = 0;
        end = 0;
        targets[0] = views.of(0, target, length);
        for (int i = 0; i < announced; i++)
        {
            targets[2 * i + 1] = betweens[i].limit((i + 1) * BETWEEN).position(i * BETWEEN);
            targets[2 * i + 2] = views.of(i + 1, target + length + (long)i * payload, payload);
        }
        final int last = announced * BETWEEN;
        targets[2 * announced + 1] = buffer.limit(last + AHEAD).position(last);
        final long count = channel.read(targets, 0, 2 * announced + 2);
        if (count <= 0)
        {
            isEnded |= count < 0;
            return 0;
        }
        total += count;
        final int placed = (int)Math.min(count, length);
        checksum.add(checkedViews.of(0, target, placed));
        final int behind = (int)(count - placed);
        final int frames = Math.min(announced, behind / (BETWEEN + payload));
        final int rest = behind - frames * (BETWEEN + payload);
        aheadAddress = target + length;
        aheadLength = frames * payload + (frames < announced ? Math.max(0, rest - BETWEEN) : 0);
        end = behind - aheadLength;
        return placed;
    }

    /** Whether bytes of announced payloads were read whose frames have not begun. */
    boolean isAhead()
    {
        return aheadLength > 0;
    }

    /**
     * Adds the bytes of the next announced payload that were read to the checksum.
     *
     * @param payload length of the payload in bytes.
     * @return number of bytes that were read.
     */
    int takeAhead(final int payload)
    {
        final int length = Math.min(aheadLength, payload);
        checksum.add(checkedViews.of(0, aheadAddress, length));
        aheadAddress += length;
        aheadLength -= length;
        return length;
    }

    /**
     * Copies bytes of the payloads that were read ahead into the buffer, behind a header which is not an announced one
     * but that of the last frame of the stream.
     */
    void returnAhead()
    {
        final int length = Math.min(aheadLength, AHEAD);
        end = start + Fpdu.TAGGED_HEADER;
        UnsafeApi.copyMemory(aheadAddress, address + end, length);
        end += length;
        aheadLength = 0;
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
