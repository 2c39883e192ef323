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
 * Encodes the values of all ranks in one array: for each rank, its length (4 bytes, little-endian) and its bytes.
 */
public final class ValueList
{
    /** The maximum length of an encoding in bytes, as it is sent in one message: 1 GiB. */
    public static final int MAX_LENGTH = 1 << 30;

    private ValueList()
    {
    }

    /**
     * Encodes values.
     *
     * @param values the values by rank; their encoding must not exceed {@link #MAX_LENGTH} bytes.
     * @return the encoding.
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
     * Returns the length of the encoding of values.
     *
     * @param values the values by rank.
     * @return the length in bytes, which may exceed {@link #MAX_LENGTH}.
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
     * Decodes values.
     *
     * @param encoded the output of {@link #encode}.
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
