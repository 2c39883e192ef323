/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The signals that came to a rank, in memory that peers write: for each rank a row of words, one for each signal, of
 * whole cache lines. Only that rank writes its row, so a word is not added to: it is written with how often the rank
 * has signalled so far, always more than before.
 * <p>
 * Thread-safe; allocates nothing.
 */
final class Signals
{
    private static final int LINE = 64;

    private final RegisteredBuffer memory;
    private final UnsafeBuffer words;
    private final int count;
    /** How many of each word waits have taken. */
    private final AtomicLongArray taken;

    /**
     * None came yet.
     *
     * @param memory zeroed, of {@link #length} bytes.
     * @param ranks  ranks of the window.
     * @param count  number of signals from each rank.
     */
    Signals(final RegisteredBuffer memory, final int ranks, final int count)
    {
        this.memory = memory;
        this.count = count;
        words = memory.buffer();
        taken = new AtomicLongArray(ranks * count);
    }

    /** How many bytes they take. */
    static long length(final int ranks, final int count)
    {
        return (long)ranks * rowLength(count);
    }

    private static int rowLength(final int count)
    {
        return BitUtil.align(count * Long.BYTES, LINE);
    }

    /** Where a rank's word for a signal is, from the beginning. */
    static long offset(final int rank, final int signal, final int count)
    {
        return (long)rank * rowLength(count) + (long)signal * Long.BYTES;
    }

    RegisteredBuffer memory()
    {
        return memory;
    }

    int count()
    {
        return count;
    }

    /** How many of a rank have come that nobody has taken. What it put before them is seen from now on. */
    long pending(final int rank, final int signal)
    {
        // Read first: what is taken meanwhile had come before.
        final long gone = taken.get(rank * count + signal);
        return words.getLongVolatile((int)offset(rank, signal, count)) - gone;
    }

    /** Takes as many, all or none. */
    boolean tryTake(final int rank, final int signal, final long wanted)
    {
        final int index = rank * count + signal;
        final int offset = (int)offset(rank, signal, count);
        long gone = taken.get(index);
        while (words.getLongVolatile(offset) - gone >= wanted)
        {
            final long found = taken.compareAndExchange(index, gone, gone + wanted);
            if (found == gone)
            {
                return true;
            }
            gone = found;
        }
        return false;
    }

    /** This rank signals itself. */
    void add(final int self, final int signal)
    {
        words.getAndAddLong((int)offset(self, signal, count), 1);
    }
}
