/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import java.nio.ByteBuffer;

/**
 * A global identifier: 128 bits, written as an IPv6 address.
 *
 * @param high the first 8 bytes (subnet prefix), as a big-endian number.
 * @param low  the last 8 bytes (interface identifier), as a big-endian number.
 */
public record Gid(long high, long low)
{
    /** All zeros: the value of an empty entry of a GID table. */
    public static final Gid ZERO = new Gid(0, 0);

    /** The length in bytes. */
    public static final int LENGTH = 16;

    /**
     * Creates a GID from its bytes in network order.
     *
     * @param bytes an array of {@link #LENGTH} bytes.
     * @return the identifier.
     */
    public static Gid of(final byte[] bytes)
    {
        if (bytes.length != LENGTH)
        {
            throw new IllegalArgumentException("a GID has " + LENGTH + " bytes, not " + bytes.length);
        }
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    /**
     * The bytes of the GID in network order.
     *
     * @return a new array.
     */
    public byte[] bytes()
    {
        return ByteBuffer.allocate(LENGTH).putLong(high).putLong(low).array();
    }

    /**
     * Whether the GID holds an IPv4 address ({@code ::ffff:a.b.c.d}), as with RoCE v2 over IPv4.
     *
     * @return false for any other GID.
     */
    public boolean isIpv4Mapped()
    {
        return high == 0 && low >>> 32 == 0xFFFF;
    }

    /**
     * Whether the GID is link-local ({@code fe80::/10}).
     *
     * @return false for any other GID.
     */
    public boolean isLinkLocal()
    {
        return high >>> 54 == 0xFE80 >>> 6;
    }

    /**
     * Whether the GID is that of a multicast group ({@code ff00::/8}, or an IPv4 address in {@code 224.0.0.0/4}).
     *
     * @return false for any other GID.
     */
    public boolean isMulticast()
    {
        return high >>> 56 == 0xFF || (isIpv4Mapped() && (low & 0xF000_0000L) == 0xE000_0000L);
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < 8; i++)
        {
            final long half = i < 4 ? high : low;
            text.append(i == 0 ? "" : ":").append(String.format("%04x", (half >>> (48 - 16 * (i & 3))) & 0xFFFF));
        }
        return text.toString();
    }
}
