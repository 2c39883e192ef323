/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The frames that begin a connection (RFC 5044, section 7.1; RFC 6581): 16 bytes of key, flags (1: markers 0x80, CRC
 * 0x40, reject 0x20, enhanced 0x10), revision (1), length of the private data (2), private data. The private data of an
 * enhanced frame, which has revision 2, begins with {@link ReadLimits}. Stateless.
 */
public final class MpaFrame
{
    /** Length without private data. */
    public static final int HEADER = 20;
    /** Maximum length of the private data. */
    public static final int MAX_PRIVATE_DATA = 512;

    private static final byte[] REQUEST = "MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REPLY = "MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII);
    private static final int MARKERS = 0x80;
    private static final int CRC = 0x40;
    private static final int REJECT = 0x20;
    private static final int ENHANCED = 0x10;
    private static final int ENHANCED_REVISION = 2;

    private MpaFrame()
    {
    }

    /**
     * Writes an enhanced frame.
     *
     * @param buffer      buffer to append to.
     * @param isRequest   false for a reply.
     * @param isCrcUsed   whether the CRCs of the sender's frames are to be checked.
     * @param limits      limits of the sender.
     * @param privateData data after the limits.
     */
    public static void put(final ByteBuffer buffer, final boolean isRequest, final boolean isCrcUsed,
        final ReadLimits limits, final byte[] privateData)
    {
        putHeader(buffer, isRequest, (isCrcUsed ? CRC : 0) | ENHANCED, ENHANCED_REVISION,
            ReadLimits.SIZE + privateData.length);
        buffer.putShort((short)limits.ird()).putShort((short)limits.ord()).put(privateData);
    }

    /**
     * Writes a frame that is not enhanced, without private data.
     *
     * @param buffer    buffer to append to.
     * @param isRequest false for a reply.
     * @param isCrcUsed whether the CRCs of the sender's frames are to be checked.
     * @param revision  revision, 1 or 2.
     */
    public static void putBasic(
        final ByteBuffer buffer, final boolean isRequest, final boolean isCrcUsed, final int revision)
    {
        putHeader(buffer, isRequest, isCrcUsed ? CRC : 0, revision, 0);
    }

    private static void putHeader(
        final ByteBuffer buffer, final boolean isRequest, final int flags, final int revision, final int length)
    {
        buffer.put(isRequest ? REQUEST : REPLY).put((byte)flags).put((byte)revision).putShort((short)length);
    }

    /**
     * Whether the first bytes are those of a valid frame without markers, so that more may be read.
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
        final int revision = revision(buffer);
        return (buffer.get(key.length) & MARKERS) == 0 && revision > 0 && revision <= ENHANCED_REVISION &&
            size >= (isEnhanced(buffer) ? ReadLimits.SIZE : 0) && size <= MAX_PRIVATE_DATA;
    }

    /**
     * The revision of a frame.
     *
     * @param buffer buffer that begins with {@link #HEADER} bytes of a frame.
     * @return revision: 1 or 2 if the frame is plausible.
     */
    public static int revision(final ByteBuffer buffer)
    {
        return buffer.get(REQUEST.length + 1) & 0xFF;
    }

    /**
     * Whether limits begin the private data.
     *
     * @param buffer buffer that begins with {@link #HEADER} bytes of a frame.
     * @return false for a frame of revision 1, whose flag has no meaning.
     */
    public static boolean isEnhanced(final ByteBuffer buffer)
    {
        return revision(buffer) == ENHANCED_REVISION && (buffer.get(REQUEST.length) & ENHANCED) != 0;
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
     * The limits of the sender.
     *
     * @param buffer buffer that begins with a whole frame.
     * @return limits, or null if the frame is not enhanced.
     */
    public static ReadLimits readLimits(final ByteBuffer buffer)
    {
        return isEnhanced(buffer) ?
            new ReadLimits(buffer.getShort(HEADER) & 0xFFFF, buffer.getShort(HEADER + 2) & 0xFFFF) : null;
    }

    /**
     * The private data after the limits.
     *
     * @param buffer buffer that begins with a whole frame.
     * @return a copy.
     */
    public static byte[] privateData(final ByteBuffer buffer)
    {
        final int start = HEADER + (isEnhanced(buffer) ? ReadLimits.SIZE : 0);
        final byte[] data = new byte[length(buffer) - start];
        buffer.get(start, data);
        return data;
    }
}
