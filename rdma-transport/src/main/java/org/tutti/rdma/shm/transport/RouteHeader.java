/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Gid;

import java.nio.ByteOrder;

/**
 * The global route header in front of each datagram (specification, section 8.3), in separate native memory. All fields
 * are in network order:
 * <pre>
 *  offset  bytes  field
 *       0      4  version 6 (4 bits), traffic class (8), flow label (20)
 *       4      2  bytes that follow this header in the packet, up to and including the checksum
 *       6      1  next header: 0x1B, the base transport header
 *       7      1  hop limit
 *       8     16  source GID
 *      24     16  destination GID
 *      40         end
 * </pre>
 * Guarded by the posting lock of the sending queue pair.
 */
public final class RouteHeader
{
    public static final int LENGTH = 40;

    private static final int VERSION = 6;
    private static final int NEXT_HEADER = 0x1B;
    private static final int FLOW_LABEL_MASK = 0xF_FFFF;
    /** Length of base and datagram headers and the invariant checksum. */
    private static final int OTHER_HEADERS = 12 + 8 + 4;
    private static final int IMMEDIATE = 4;
    private static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final long address = UnsafeApi.allocateMemory(LENGTH);

    /**
     * Creates the header of all datagrams of a port.
     *
     * @param source GID of the port.
     */
    public RouteHeader(final Gid source)
    {
        putLong(8, source.high());
        putLong(16, source.low());
    }

    /**
     * The address of the header.
     *
     * @return address, valid until close.
     */
    public long address()
    {
        return address;
    }

    /**
     * Writes the fields that differ between messages.
     *
     * @param route        route of the message.
     * @param length       length of the message.
     * @param hasImmediate whether the message has immediate data.
     */
    void put(final DatagramRoute route, final int length, final boolean hasImmediate)
    {
        final int payload = ((length + 3) & ~3) + OTHER_HEADERS + (hasImmediate ? IMMEDIATE : 0);
        putInt(0, VERSION << 28 | route.trafficClass() << 20 | (route.flowLabel() & FLOW_LABEL_MASK));
        putInt(4, payload << 16 | NEXT_HEADER << 8 | route.hopLimit());
        putLong(24, route.gidHigh());
        putLong(32, route.gidLow());
    }

    private void putInt(final int offset, final int value)
    {
        UnsafeApi.putInt(address + offset, IS_LITTLE_ENDIAN ? Integer.reverseBytes(value) : value);
    }

    private void putLong(final int offset, final long value)
    {
        UnsafeApi.putLong(address + offset, IS_LITTLE_ENDIAN ? Long.reverseBytes(value) : value);
    }

    public void close()
    {
        UnsafeApi.freeMemory(address);
    }
}
