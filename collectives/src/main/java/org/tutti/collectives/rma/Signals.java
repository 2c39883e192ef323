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
 * The signals that arrived at a rank, in memory that peers write: a row of words per rank, padded to whole cache lines,
 * with one word per signal. Only that rank writes its row, so no atomic add is needed: the rank writes the total number
 * of signals that it has sent so far, which only grows.
 * <p>
 * Thread-safe; allocates nothing.
 */
final class Signals
{
    private static final int CACHE_LINE = 64;

    private final RegisteredBuffer memory;
    private final UnsafeBuffer words;
    private final int count;
    /** By word, the number of signals that waits have taken. */
    private final AtomicLongArray taken;

    /**
     * Creates signals of which none has arrived.
     *
     * @param memory zeroed memory of {@link #length} bytes.
     * @param ranks  number of ranks of the window.
     * @param count  number of signals from each rank.
     */
    Signals(final RegisteredBuffer memory, final int ranks, final int count)
    {
        this.memory = memory;
        this.count = count;
        words = memory.buffer();
        taken = new AtomicLongArray(ranks * count);
    }

    /** Returns the length of the memory in bytes. */
    static long length(final int ranks, final int count)
    {
        return (long)ranks * rowLength(count);
    }

    private static int rowLength(final int count)
    {
        return BitUtil.align(count * Long.BYTES, CACHE_LINE);
    }

    /** Returns the offset of a rank's word for a signal, in bytes. */
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

    /**
     * Returns the number of a rank's signals that have arrived and are not taken. Data put before these signals is
     * visible after this call.
     */
    long pending(final int rank, final int signal)
    {
        // Read before the word: signals taken concurrently had arrived earlier, so the result is not negative.
        final long alreadyTaken = taken.get(rank * count + signal);
        return words.getLongVolatile((int)offset(rank, signal, count)) - alreadyTaken;
    }

    /** Takes the given number of signals, or none. */
    boolean tryTake(final int rank, final int signal, final long wanted)
    {
        final int index = rank * count + signal;
        final int offset = (int)offset(rank, signal, count);
        long alreadyTaken = taken.get(index);
        while (words.getLongVolatile(offset) - alreadyTaken >= wanted)
        {
            final long found = taken.compareAndExchange(index, alreadyTaken, alreadyTaken + wanted);
            if (found == alreadyTaken)
            {
                return true;
            }
            alreadyTaken = found;
        }
        return false;
    }

    /** Adds a signal of this rank to itself. */
    void add(final int self, final int signal)
    {
        words.getAndAddLong((int)offset(self, signal, count), 1);
    }
}
