/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.rdma.memory.RegisteredBuffer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a rank tells the others of its end of a window.
 *
 * @param name          of the window, if this is rank 0.
 * @param count         of elements.
 * @param address       of the first one.
 * @param rkey          of the memory.
 * @param signalAddress of its {@link Signals}.
 * @param signalRkey    of these.
 * @param reads         how many RDMA reads of a peer it answers at a time.
 */
record WindowOffer(
    String name, long count, long address, int rkey, long signalAddress, int signalRkey, int reads)
{
    private static final int FIXED_LENGTH = 3 * Long.BYTES + 3 * Integer.BYTES;

    static WindowOffer of(
        final String name, final PooledDataBuffer memory, final RegisteredBuffer signals, final int reads)
    {
        return new WindowOffer(name, memory.count(), memory.memory().address(), memory.memory().rkey(),
            signals.address(), signals.rkey(), reads);
    }

    static WindowOffer decode(final byte[] bytes)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        final long count = buffer.getLong();
        final long address = buffer.getLong();
        final long signalAddress = buffer.getLong();
        return new WindowOffer(
            new String(bytes, FIXED_LENGTH, bytes.length - FIXED_LENGTH, StandardCharsets.UTF_8),
            count, address, buffer.getInt(), signalAddress, buffer.getInt(), buffer.getInt());
    }

    byte[] encode()
    {
        final byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(FIXED_LENGTH + text.length)
            .putLong(count).putLong(address).putLong(signalAddress).putInt(rkey).putInt(signalRkey).putInt(reads)
            .put(text).array();
    }
}
