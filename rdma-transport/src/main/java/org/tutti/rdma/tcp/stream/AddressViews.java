/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Byte buffers over native memory at any address, for channels and checksums, which take nothing else. Each slot caches
 * buffers over windows of 2 GiB that begin at multiples of 1 GiB, so that an access allocates nothing once its window
 * is cached. Used by one thread at a time; a buffer is valid until the next access to its slot.
 */
final class AddressViews
{
    private static final int WINDOW_BITS = 30;
    private static final int CACHED = 8;
    private static final int MAX_LENGTH = 1 << WINDOW_BITS;
    /** Byte buffers are a few bytes shorter than 2 GiB. */
    private static final int SPARE = 16;

    private final ByteBuffer[] buffers;
    private final long[] windows;

    /**
     * Creates views.
     *
     * @param slots number of views that are in use at the same time.
     */
    AddressViews(final int slots)
    {
        buffers = new ByteBuffer[slots * CACHED];
        windows = new long[slots * CACHED];
    }

    /**
     * A view of a range.
     *
     * @param slot    slot, from 0.
     * @param address address of the first byte.
     * @param length  length in bytes, less than 1 GiB.
     * @return buffer whose remaining bytes are the range.
     */
    ByteBuffer of(final int slot, final long address, final int length)
    {
        final long window = address >>> WINDOW_BITS;
        final int index = slot * CACHED + (int)(window & (CACHED - 1));
        if (buffers[index] == null || windows[index] != window)
        {
            buffers[index] = MemorySegment.ofAddress(window << WINDOW_BITS).reinterpret(2L * MAX_LENGTH - SPARE)
                .asByteBuffer();
            windows[index] = window;
        }
        final int start = (int)(address & (MAX_LENGTH - 1));
        return buffers[index].limit(start + length).position(start);
    }
}
