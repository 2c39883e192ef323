/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The frames that begin a connection (RFC 5044, section 7.1; RFC 6581): 16 bytes of key, flags (1: markers 0x80, CRC
 * 0x40, reject 0x20, enhanced 0x10), revision (1), length of the private data (2), private data. The private data of
 * revision 2 begins with the numbers of reads that the sender accepts and starts (2 bytes each). Stateless.
 */
public final class MpaFrame
{
    /** Length without private data. */
    public static final int HEADER = 20;
    /** Length of the numbers of reads that begin the private data. */
    public static final int READ_LIMITS = 4;
    /** Maximum length of the private data. */
    public static final int MAX_PRIVATE_DATA = 512;

    private static final byte[] REQUEST = "MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REPLY = "MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII);
    private static final int MARKERS = 0x80;
    private static final int CRC = 0x40;
    private static final int REJECT = 0x20;
    private static final int ENHANCED = 0x10;
    private static final int REVISION = 2;
    private static final int MAX_READS = 0x3FFF;

    private MpaFrame()
    {
    }

    /**
     * Writes a frame.
     *
     * @param buffer      buffer to append to.
     * @param isRequest   false for a reply.
     * @param isCrcUsed   whether the CRCs of the sender's frames are to be checked.
     * @param isRejected  whether a reply rejects the request.
     * @param privateData data after the numbers of reads.
     */
    public static void put(final ByteBuffer buffer, final boolean isRequest, final boolean isCrcUsed,
        final boolean isRejected, final byte[] privateData)
    {
        buffer.put(isRequest ? REQUEST : REPLY);
        buffer.put((byte)((isCrcUsed ? CRC : 0) | (isRejected ? REJECT : 0) | ENHANCED));
        buffer.put((byte)REVISION).putShort((short)(READ_LIMITS + privateData.length));
        buffer.putShort((short)MAX_READS).putShort((short)MAX_READS).put(privateData);
    }

    /**
     * Whether the first bytes are those of a valid frame, so that more may be read.
     *
     * @param buffer    buffer whose first {@code length} bytes were received.
     * @param length    number of bytes.
     * @param isRequest false for a reply.
     * @return false as soon as a byte differs.
     */
    public static boolean isPlausible(final ByteBuffer buffer, final int length, final boolean isRequest)
    {
        final byte[] key = isRequest ? REQUEST : REPLY;
        for (int i = 0; i < Math.min(length, key.length); i++)
        {
            if (buffer.get(i) != key[i])
            {
                return false;
            }
        }
        if (length < HEADER)
        {
            return true;
        }
        final int size = buffer.getShort(HEADER - 2) & 0xFFFF;
        return (buffer.get(key.length) & (MARKERS | ENHANCED)) == ENHANCED && buffer.get(key.length + 1) == REVISION &&
            size >= READ_LIMITS && size <= MAX_PRIVATE_DATA;
    }

    /**
     * The length of the frame.
     *
     * @param buffer buffer that begins with {@link #HEADER} bytes of a plausible frame.
     * @return length in bytes, with private data.
     */
    public static int length(final ByteBuffer buffer)
    {
        return HEADER + (buffer.getShort(HEADER - 2) & 0xFFFF);
    }

    public static boolean isCrcUsed(final ByteBuffer buffer)
    {
        return (buffer.get(REQUEST.length) & CRC) != 0;
    }

    public static boolean isRejected(final ByteBuffer buffer)
    {
        return (buffer.get(REQUEST.length) & REJECT) != 0;
    }

    /**
     * The private data after the numbers of reads.
     *
     * @param buffer buffer that begins with a whole frame.
     * @return a copy.
     */
    public static byte[] privateData(final ByteBuffer buffer)
    {
        final byte[] data = new byte[length(buffer) - HEADER - READ_LIMITS];
        buffer.get(HEADER + READ_LIMITS, data);
        return data;
    }
}
