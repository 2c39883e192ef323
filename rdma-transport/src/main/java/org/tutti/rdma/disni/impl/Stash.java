/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import org.agrona.UnsafeApi;
import org.tutti.rdma.WorkCompletion;

import java.lang.foreign.Arena;

/** Completions that were taken off a queue, as users get them, before they were polled. Not thread-safe. */
final class Stash
{
    private static final int CAPACITY = 4096;

    private long address;
    private Arena arena;
    private int head;
    private int count;

    /** How many more can be kept. */
    int free()
    {
        return CAPACITY - count;
    }

    /** Where the next one goes. */
    long next()
    {
        if (arena == null)
        {
            arena = Arena.ofAuto();
            address = arena.allocate((long)CAPACITY * WorkCompletion.SIZE, Long.BYTES).address();
        }
        return slot(head + count);
    }

    /** The next one is there. */
    void add()
    {
        count++;
    }

    /**
     * Takes the oldest.
     *
     * @param to  destination.
     * @param max maximum number.
     * @return how many.
     */
    int take(final long to, final int max)
    {
        final int taken = Math.min(count, max);
        for (int i = 0; i < taken; i++)
        {
            UnsafeApi.copyMemory(slot(head + i), to + (long)i * WorkCompletion.SIZE, WorkCompletion.SIZE);
        }
        if (taken > 0)
        {
            head = (head + taken) % CAPACITY;
            count -= taken;
        }
        return taken;
    }

    private long slot(final int index)
    {
        return address + (long)(index % CAPACITY) * WorkCompletion.SIZE;
    }
}
