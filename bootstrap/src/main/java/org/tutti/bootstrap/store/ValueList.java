/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The values of all ranks as one: for each rank in turn its length (4 bytes, little-endian) and its bytes.
 */
public final class ValueList
{
    /** How long an encoding may be, as it travels in one message: 1 GiB. */
    public static final int MAX_LENGTH = 1 << 30;

    private ValueList()
    {
    }

    /**
     * Joins values into one.
     *
     * @param values values by rank, which encode to {@link #MAX_LENGTH} bytes at most.
     * @return their encoding.
     */
    public static byte[] encode(final byte[][] values)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(length(values))).order(ByteOrder.LITTLE_ENDIAN);
        for (final byte[] value : values)
        {
            buffer.putInt(value.length).put(value);
        }
        return buffer.array();
    }

    /**
     * How long the encoding of values is.
     *
     * @param values values by rank.
     * @return bytes, which may be more than {@link #MAX_LENGTH}.
     */
    public static long length(final byte[][] values)
    {
        long length = 0;
        for (final byte[] value : values)
        {
            length += Integer.BYTES + value.length;
        }
        return length;
    }

    /**
     * Takes the values apart again.
     *
     * @param encoded bytes written by {@link #encode}.
     * @return the values by rank, each a copy.
     */
    public static List<byte[]> decode(final byte[] encoded)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
        final List<byte[]> values = new ArrayList<>();
        while (buffer.hasRemaining())
        {
            final byte[] value = new byte[buffer.getInt()];
            buffer.get(value);
            values.add(value);
        }
        return values;
    }
}
