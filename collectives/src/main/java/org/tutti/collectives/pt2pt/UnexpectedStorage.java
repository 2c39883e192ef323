/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.agrona.collections.LongArrayList;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * A pool of native memory for the data of eager messages that no receive has matched, in powers of two from 64 bytes.
 * Allocates only when more blocks of a length are in use than ever before. Not thread-safe.
 */
final class UnexpectedStorage implements AutoCloseable
{
    private static final int MIN_SHIFT = 6;

    private final Arena arena = Arena.ofShared();
    /** By length: the addresses of blocks that are not in use. */
    private final List<LongArrayList> pools = new ArrayList<>();

    /** Returns the address of a block of at least the given length in bytes, from 1, with any contents. */
    long take(final int length)
    {
        final LongArrayList pool = pool(length);
        return pool.isEmpty() ? arena.allocate(1L << (MIN_SHIFT + index(length)), 1L << MIN_SHIFT).address() :
            pool.removeAt(pool.size() - 1);
    }

    /** Takes back a block of {@link #take}, which was called with the same length. */
    void give(final long address, final int length)
    {
        pool(length).addLong(address);
    }

    private LongArrayList pool(final int length)
    {
        while (pools.size() <= index(length))
        {
            pools.add(new LongArrayList());
        }
        return pools.get(index(length));
    }

    private static int index(final int length)
    {
        return Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(length - 1) - MIN_SHIFT);
    }

    /** Frees all blocks. */
    @Override
    public void close()
    {
        arena.close();
    }
}
