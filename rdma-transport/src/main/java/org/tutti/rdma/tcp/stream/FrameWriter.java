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
import java.nio.channels.GatheringByteChannel;

/**
 * Collects frames into a batch and writes it by gathering writes. Short payloads are copied; long ones are written from
 * where they are, which must stay registered until the batch is written. A batch that the socket takes in part is
 * continued by the next {@link #write}. Used by one thread at a time; allocates nothing after its first use.
 */
final class FrameWriter
{
    /** Payloads up to this length are copied. */
    static final int COPY_LIMIT = 2048;
    /** Length from which a batch takes no more frames. */
    private static final int BATCH = 256 << 10;
    private static final int ARENA = 64 << 10;
    /** Room in the arena for a frame: its header, a copied payload, its pad and CRC. */
    private static final int FRAME_ROOM = COPY_LIMIT + 128;
    private static final int MAX_PIECES = 128;
    /** Pieces that a frame may need: its slices, at most as many as a gather list has, and its header and trailer. */
    private static final int FRAME_PIECES = 36;

    private final Checksum checksum;
    private final ByteBuffer arena = ByteBuffer.allocateDirect(ARENA);
    private final long arenaAddress = MemorySegment.ofBuffer(arena).address();
    private final ByteBuffer checked = arena.duplicate();
    private final ByteBuffer[] arenaPieces = new ByteBuffer[MAX_PIECES];
    private final ByteBuffer[] pieces = new ByteBuffer[MAX_PIECES];
    private final AddressViews views = new AddressViews(MAX_PIECES);
    private final AddressViews checkedViews = new AddressViews(1);
    private int pieceCount;
    private int firstPiece;
    private int runStart;
    private int end;
    private int checkedFrom;
    private int frameLength;
    private long batchLength;
    /** Whether the batch refers to payloads that were not copied. */
    private boolean isReferring;

    FrameWriter(final Checksum checksum)
    {
        this.checksum = checksum;
        for (int i = 0; i < MAX_PIECES; i++)
        {
            arenaPieces[i] = arena.duplicate();
        }
    }

    /** Whether nothing is left to write. */
    boolean isEmpty()
    {
        return batchLength == 0;
    }

    /** Whether the batch takes another frame. */
    boolean hasRoom()
    {
        return firstPiece == 0 && batchLength < BATCH && end + FRAME_ROOM <= ARENA &&
            pieceCount + FRAME_PIECES <= MAX_PIECES;
    }

    /**
     * Starts a frame; the caller then writes the header.
     *
     * @param header length of the header with the length field.
     * @return address of the frame.
     */
    long begin(final int header)
    {
        checksum.reset();
        checkedFrom = end;
        frameLength = header;
        final long frame = arenaAddress + end;
        end += header;
        return frame;
    }

    /**
     * Reserves room for a payload that the caller writes.
     *
     * @param length length in bytes, at most {@link #COPY_LIMIT}.
     * @return address of the payload.
     */
    long room(final int length)
    {
        final long address = arenaAddress + end;
        end += length;
        frameLength += length;
        return address;
    }

    /**
     * Adds a slice of the payload.
     *
     * @param address address of the first byte.
     * @param length  length in bytes.
     * @param isCopied whether to copy it: only if the whole payload of the frame fits {@link #COPY_LIMIT}.
     */
    void add(final long address, final int length, final boolean isCopied)
    {
        if (isCopied)
        {
            UnsafeApi.copyMemory(address, room(length), length);
            return;
        }
        checkRun();
        closeRun();
        isReferring = true;
        checksum.add(checkedViews.of(0, address, length));
        pieces[pieceCount] = views.of(pieceCount, address, length);
        pieceCount++;
        frameLength += length;
        batchLength += length;
    }

    /** Ends the frame by pad and CRC. */
    void end()
    {
        for (int pad = Fpdu.pad(frameLength); pad > 0; pad--)
        {
            UnsafeApi.putByte(arenaAddress + end++, (byte)0);
        }
        checkRun();
        Fpdu.putCrc(arenaAddress + end, checksum.value());
        end += Fpdu.CRC_SIZE;
        checkedFrom = end;
        if (batchLength == 0)
        {
            // Not empty, even before the run is closed.
            batchLength = 1;
        }
    }

    private void checkRun()
    {
        if (end > checkedFrom)
        {
            checksum.add(checked.limit(end).position(checkedFrom));
            checkedFrom = end;
        }
    }

    private void closeRun()
    {
        if (end > runStart)
        {
            pieces[pieceCount] = arenaPieces[pieceCount].limit(end).position(runStart);
            pieceCount++;
            batchLength += end - runStart;
            runStart = end;
        }
    }

    /** Copies what is left of the batch, so that the memory that it refers to may be freed. Rarely used: allocates. */
    void detach()
    {
        if (!isReferring)
        {
            return;
        }
        isReferring = false;
        closeRun();
        int length = 0;
        for (int i = firstPiece; i < pieceCount; i++)
        {
            length += pieces[i].remaining();
        }
        final ByteBuffer copy = ByteBuffer.allocateDirect(length);
        for (int i = firstPiece; i < pieceCount; i++)
        {
            copy.put(pieces[i]);
        }
        pieces[firstPiece] = copy.flip();
        pieceCount = firstPiece + 1;
    }

    /**
     * Writes as much of the batch as the socket takes.
     *
     * @param channel non-blocking channel.
     * @return true if the batch is written, and the writer empty.
     * @throws IOException if the connection is broken.
     */
    boolean write(final GatheringByteChannel channel) throws IOException
    {
        closeRun();
        while (firstPiece < pieceCount)
        {
            final long written = firstPiece + 1 == pieceCount ? channel.write(pieces[firstPiece]) :
                channel.write(pieces, firstPiece, pieceCount - firstPiece);
            while (firstPiece < pieceCount && !pieces[firstPiece].hasRemaining())
            {
                firstPiece++;
            }
            if (written == 0)
            {
                return false;
            }
        }
        firstPiece = 0;
        pieceCount = 0;
        runStart = 0;
        end = 0;
        batchLength = 0;
        isReferring = false;
        return true;
    }
}
