/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

/** The responses that a requester expects, in order: a ring. Used by one thread at a time; allocates nothing. */
final class DueResponses
{
    /** The response to an empty read, which only says that earlier requests are executed. */
    static final int EMPTY_READ = 0;
    /** The response to a read. */
    static final int READ = 1;
    /** The response to an atomic. */
    static final int ATOMIC = 2;
    /** No response. */
    static final int NONE = -1;

    private final long[] ordinals;
    private final int[] kinds;
    private final int mask;
    private int first;
    private int count;
    private int dataCount;

    /**
     * Creates an empty ring.
     *
     * @param requests maximum number of requests in flight.
     */
    DueResponses(final int requests)
    {
        final int capacity = Integer.highestOneBit(2 * requests + 1) * 2;
        ordinals = new long[capacity];
        kinds = new int[capacity];
        mask = capacity - 1;
    }

    void clear()
    {
        count = 0;
        dataCount = 0;
    }

    /** Adds a response that says that all requests before an ordinal are executed. */
    void add(final long ordinal, final int kind)
    {
        final int index = (first + count++) & mask;
        ordinals[index] = ordinal;
        kinds[index] = kind;
        dataCount += kind == EMPTY_READ ? 0 : 1;
    }

    /** The kind of the next response, or {@link #NONE}. */
    int kind()
    {
        return count == 0 ? NONE : kinds[first];
    }

    /** The ordinal after the request of the next response. */
    long ordinal()
    {
        return ordinals[first];
    }

    /** The number of reads and atomics. */
    int dataCount()
    {
        return dataCount;
    }

    /** Removes the next response; returns its ordinal. */
    long remove()
    {
        final long ordinal = ordinals[first];
        dataCount -= kinds[first] == EMPTY_READ ? 0 : 1;
        first = (first + 1) & mask;
        count--;
        return ordinal;
    }

    /** The ordinal after the first read or atomic. */
    long firstData()
    {
        for (int i = 0; i < count; i++)
        {
            final int index = (first + i) & mask;
            if (kinds[index] != EMPTY_READ)
            {
                return ordinals[index];
            }
        }
        return Long.MAX_VALUE;
    }
}
