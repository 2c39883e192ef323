/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

import org.agrona.UnsafeApi;

import java.nio.ByteOrder;

/**
 * The layout of a framed protocol data unit (RFC 5044, section 4) with the headers of DDP (RFC 5041, section 4) and
 * RDMAP (RFC 5040, section 4). Big-endian except for the CRC.
 * <pre>
 *  offset  tagged                        untagged
 *       0  length of what follows up to the pad, 2 bytes
 *       2  DDP control: bit 7 tagged, bit 6 last segment, bits 0 and 1 version 1
 *       3  RDMAP control: bits 6 and 7 version 1, bits 4 and 5 announcement, bits 0 to 3 opcode
 *       4  STag (4)                      STag to invalidate or 0 (4)
 *       8  tagged offset (8)             queue number (4), message sequence number (4)
 *      16  payload                       message offset (4)
 *      20                                payload
 *     end  0 to 3 bytes of pad, CRC32C, 4 bytes little-endian
 * </pre>
 * The announcement is 0 in the standard, which reserves the bits; for its meaning between Tutti peers see
 * {@link #announced}. Stateless; allocates nothing.
 */
public final class Fpdu
{
    public static final int WRITE = 0;
    public static final int READ_REQUEST = 1;
    public static final int READ_RESPONSE = 2;
    public static final int SEND = 3;
    /** Between Tutti peers, which invalidate nothing, the field of the STag holds immediate data. */
    public static final int SEND_INVALIDATE = 4;
    public static final int SEND_SOLICITED = 5;
    /** As {@link #SEND_INVALIDATE}, solicited. */
    public static final int SEND_SOLICITED_INVALIDATE = 6;
    public static final int TERMINATE = 7;
    public static final int IMMEDIATE = 8;
    public static final int IMMEDIATE_SOLICITED = 9;
    public static final int ATOMIC_REQUEST = 10;
    public static final int ATOMIC_RESPONSE = 11;

    public static final int SEND_QUEUE = 0;
    public static final int READ_QUEUE = 1;
    public static final int TERMINATE_QUEUE = 2;
    public static final int ATOMIC_RESPONSE_QUEUE = 3;

    public static final int LENGTH_SIZE = 2;
    public static final int TAGGED_HEADER = 16;
    public static final int UNTAGGED_HEADER = 20;
    public static final int CRC_SIZE = 4;
    /** Payloads are multiples of this length in bytes, except the last one of a message. */
    public static final int PAYLOAD_UNIT = 16;
    /** Maximum payload of a frame in bytes: a multiple of the unit that keeps the length field below 2^16. */
    public static final int MAX_PAYLOAD = 65_504;
    /** Maximum length of a frame in bytes. */
    public static final int MAX_SIZE = LENGTH_SIZE + 65_535 + 3 + CRC_SIZE;

    /** The maximum of {@link #announced}. */
    public static final int MAX_ANNOUNCED = 7;

    private static final int CONTROL_OFFSET = 2;
    private static final int OPCODE_OFFSET = 3;
    private static final int STAG_OFFSET = 4;
    private static final int TAGGED_OFFSET_OFFSET = 8;
    private static final int QUEUE_OFFSET = 8;
    private static final int MSN_OFFSET = 12;
    private static final int MESSAGE_OFFSET_OFFSET = 16;
    private static final int TAGGED = 0x80;
    private static final int LAST = 0x40;
    private static final int DDP_VERSION = 1;
    private static final int DDP_RESERVED_AND_VERSION = 0x3F;
    private static final int RDMAP_VERSION = 0x40;
    private static final int RDMAP_VERSION_BITS = 0xC0;
    private static final int ANNOUNCEMENT = 0x30;
    private static final int ANNOUNCEMENT_SHIFT = 4;
    private static final boolean IS_LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private Fpdu()
    {
    }

    /**
     * Writes the header of a tagged segment.
     *
     * @param frame   address of the frame.
     * @param opcode  RDMAP opcode.
     * @param isLast  whether it is the last segment of its message.
     * @param stag    STag of the target.
     * @param offset  offset of the payload in the target.
     * @param payload length of the payload in bytes.
     */
    public static void putTagged(final long frame, final int opcode, final boolean isLast, final int stag,
        final long offset, final int payload)
    {
        putControl(frame, TAGGED, opcode, isLast, TAGGED_HEADER + payload);
        putInt(frame + STAG_OFFSET, stag);
        putLong(frame + TAGGED_OFFSET_OFFSET, offset);
    }

    /**
     * Writes the header of an untagged segment, with 0 in the field of the STag.
     *
     * @param frame   address of the frame.
     * @param opcode  RDMAP opcode.
     * @param isLast  whether it is the last segment of its message.
     * @param queue   queue number.
     * @param msn     message sequence number.
     * @param offset  offset of the payload in the message.
     * @param payload length of the payload in bytes.
     */
    public static void putUntagged(final long frame, final int opcode, final boolean isLast, final int queue,
        final int msn, final int offset, final int payload)
    {
        putControl(frame, 0, opcode, isLast, UNTAGGED_HEADER + payload);
        putInt(frame + STAG_OFFSET, 0);
        putInt(frame + QUEUE_OFFSET, queue);
        putInt(frame + MSN_OFFSET, msn);
        putInt(frame + MESSAGE_OFFSET_OFFSET, offset);
    }

    private static void putControl(
        final long frame, final int tagged, final int opcode, final boolean isLast, final int length)
    {
        putShort(frame, length - LENGTH_SIZE);
        UnsafeApi.putByte(frame + CONTROL_OFFSET, (byte)(tagged | (isLast ? LAST : 0) | DDP_VERSION));
        UnsafeApi.putByte(frame + OPCODE_OFFSET, (byte)(RDMAP_VERSION | opcode));
    }

    /**
     * Changes the header of a segment of a write into one that announces the next frames.
     *
     * @param frame address of the frame.
     * @param count number of announced frames: 0, 1, 3 or {@value #MAX_ANNOUNCED}.
     */
    public static void announce(final long frame, final int count)
    {
        UnsafeApi.putByte(frame + OPCODE_OFFSET,
            (byte)(RDMAP_VERSION | Integer.bitCount(count) << ANNOUNCEMENT_SHIFT | opcode(frame)));
    }

    /**
     * The number of frames that a header announces. Between Tutti peers, a segment of a write announces that the next
     * frames of the stream are further segments of the same message, contiguous, and each as long as this one. The
     * receiver may therefore place their payloads before it has seen their headers. Only such a segment has the bits:
     * one with a payload and without pad that is not the last of its message.
     *
     * @param frame address of the frame.
     * @return 0, 1, 3 or {@value #MAX_ANNOUNCED}.
     */
    public static int announced(final long frame)
    {
        return (1 << ((UnsafeApi.getByte(frame + OPCODE_OFFSET) & ANNOUNCEMENT) >>> ANNOUNCEMENT_SHIFT)) - 1;
    }

    /**
     * Writes immediate data into the field of the STag of an untagged segment.
     *
     * @param frame address of the frame.
     * @param data  immediate data as in memory: not converted.
     */
    public static void putImmediate(final long frame, final int data)
    {
        UnsafeApi.putInt(frame + STAG_OFFSET, data);
    }

    /**
     * Reads what {@link #putImmediate} wrote.
     *
     * @param frame address of the frame.
     * @return immediate data as in memory.
     */
    public static int immediate(final long frame)
    {
        return UnsafeApi.getInt(frame + STAG_OFFSET);
    }

    /**
     * The length of the header, from the second byte of control on.
     *
     * @param frame address of a frame whose first three bytes are there.
     * @return length in bytes.
     */
    public static int headerLength(final long frame)
    {
        return isTagged(frame) ? TAGGED_HEADER : UNTAGGED_HEADER;
    }

    /**
     * The length of the frame up to the pad.
     *
     * @param frame address of a frame whose first two bytes are there.
     * @return length in bytes, from 2 to 65,537.
     */
    public static int length(final long frame)
    {
        return LENGTH_SIZE + getShort(frame);
    }

    /**
     * The number of bytes of pad that follow a frame.
     *
     * @param length length of the frame up to the pad.
     * @return from 0 to 3.
     */
    public static int pad(final int length)
    {
        return -length & 3;
    }

    /**
     * Whether the header is one that this implementation sends or accepts: versions, reserved bits, tagged or not as
     * the opcode requires, the queue of the opcode, and an announcement only where {@link #announced} permits one.
     *
     * @param frame address of a frame whose header is there.
     * @return false for any other header.
     */
    public static boolean isValid(final long frame)
    {
        final int control = UnsafeApi.getByte(frame + CONTROL_OFFSET) & 0xFF;
        final int rdmap = UnsafeApi.getByte(frame + OPCODE_OFFSET) & 0xFF;
        if ((control & DDP_RESERVED_AND_VERSION) != DDP_VERSION ||
            (rdmap & RDMAP_VERSION_BITS) != RDMAP_VERSION || (announced(frame) > 0 && !mayAnnounce(frame)))
        {
            return false;
        }
        final boolean isTagged = (control & TAGGED) != 0;
        return switch (rdmap & 0xF)
        {
            case WRITE, READ_RESPONSE -> isTagged;
            case SEND, SEND_INVALIDATE, SEND_SOLICITED, SEND_SOLICITED_INVALIDATE, IMMEDIATE, IMMEDIATE_SOLICITED ->
                !isTagged && queue(frame) == SEND_QUEUE;
            case READ_REQUEST, ATOMIC_REQUEST -> !isTagged && queue(frame) == READ_QUEUE;
            case TERMINATE -> !isTagged && queue(frame) == TERMINATE_QUEUE;
            case ATOMIC_RESPONSE -> !isTagged && queue(frame) == ATOMIC_RESPONSE_QUEUE;
            default -> false;
        };
    }

    private static boolean mayAnnounce(final long frame)
    {
        final int length = length(frame);
        return opcode(frame) == WRITE && !isLast(frame) && length > TAGGED_HEADER && pad(length) == 0;
    }

    public static boolean isTagged(final long frame)
    {
        return (UnsafeApi.getByte(frame + CONTROL_OFFSET) & TAGGED) != 0;
    }

    public static boolean isLast(final long frame)
    {
        return (UnsafeApi.getByte(frame + CONTROL_OFFSET) & LAST) != 0;
    }

    public static int opcode(final long frame)
    {
        return UnsafeApi.getByte(frame + OPCODE_OFFSET) & 0xF;
    }

    /**
     * Whether a frame has a payload that belongs to memory of the program.
     *
     * @param frame address of a valid header.
     * @return true for segments of writes, sends and read responses.
     */
    public static boolean isPlaced(final long frame)
    {
        final int opcode = opcode(frame);
        return opcode == WRITE || opcode == READ_RESPONSE || (opcode >= SEND && opcode <= SEND_SOLICITED_INVALIDATE);
    }

    /**
     * Whether a frame responds to a request.
     *
     * @param frame address of a valid header.
     * @return true for responses to reads and atomics.
     */
    public static boolean isResponse(final long frame)
    {
        final int opcode = opcode(frame);
        return opcode == READ_RESPONSE || opcode == ATOMIC_RESPONSE;
    }

    public static int stag(final long frame)
    {
        return getInt(frame + STAG_OFFSET);
    }

    public static long taggedOffset(final long frame)
    {
        return getLong(frame + TAGGED_OFFSET_OFFSET);
    }

    public static int queue(final long frame)
    {
        return getInt(frame + QUEUE_OFFSET);
    }

    public static int msn(final long frame)
    {
        return getInt(frame + MSN_OFFSET);
    }

    /**
     * The offset of an untagged segment in its message.
     *
     * @param frame address of the frame.
     * @return offset in bytes, from 0 to 2^32 - 1.
     */
    public static long messageOffset(final long frame)
    {
        return getInt(frame + MESSAGE_OFFSET_OFFSET) & 0xFFFF_FFFFL;
    }

    /** Writes 2 bytes, big-endian, at any address. */
    public static void putShort(final long address, final int value)
    {
        UnsafeApi.putByte(address, (byte)(value >>> 8));
        UnsafeApi.putByte(address + 1, (byte)value);
    }

    /** Reads 2 bytes, big-endian and unsigned, at any address. */
    public static int getShort(final long address)
    {
        return (UnsafeApi.getByte(address) & 0xFF) << 8 | (UnsafeApi.getByte(address + 1) & 0xFF);
    }

    /** Writes 4 bytes, big-endian, at any address. */
    public static void putInt(final long address, final int value)
    {
        UnsafeApi.putInt(address, IS_LITTLE ? Integer.reverseBytes(value) : value);
    }

    /** Reads 4 bytes, big-endian, at any address. */
    public static int getInt(final long address)
    {
        final int value = UnsafeApi.getInt(address);
        return IS_LITTLE ? Integer.reverseBytes(value) : value;
    }

    /** Writes 8 bytes, big-endian, at any address. */
    public static void putLong(final long address, final long value)
    {
        UnsafeApi.putLong(address, IS_LITTLE ? Long.reverseBytes(value) : value);
    }

    /** Reads 8 bytes, big-endian, at any address. */
    public static long getLong(final long address)
    {
        final long value = UnsafeApi.getLong(address);
        return IS_LITTLE ? Long.reverseBytes(value) : value;
    }

    /** Writes a CRC, little-endian. */
    public static void putCrc(final long address, final int value)
    {
        UnsafeApi.putInt(address, IS_LITTLE ? value : Integer.reverseBytes(value));
    }

    /** Reads a CRC, little-endian. */
    public static int getCrc(final long address)
    {
        final int value = UnsafeApi.getInt(address);
        return IS_LITTLE ? value : Integer.reverseBytes(value);
    }
}
