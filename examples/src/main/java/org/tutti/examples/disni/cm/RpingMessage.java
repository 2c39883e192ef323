/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.disni.cm;

import java.nio.ByteBuffer;

/**
 * The message of rping in network byte order: a location in the sender's memory that the receiver may read or write.
 * <pre>
 *   offset  bytes
 *        0      8  address
 *        8      4  rkey
 *       12      4  length
 * </pre>
 *
 * @param address address of the first byte.
 * @param rkey    remote key of the region.
 * @param size    size in bytes.
 */
record RpingMessage(long address, int rkey, int size)
{
    static final int LENGTH = 16;

    static RpingMessage read(final ByteBuffer buffer)
    {
        return new RpingMessage(buffer.getLong(0), buffer.getInt(8), buffer.getInt(12));
    }

    void write(final ByteBuffer buffer)
    {
        buffer.putLong(0, address).putInt(8, rkey).putInt(12, size);
    }
}
