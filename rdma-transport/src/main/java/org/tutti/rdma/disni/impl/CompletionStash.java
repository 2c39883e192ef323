/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import org.agrona.UnsafeApi;
import org.tutti.rdma.WorkCompletion;

import java.lang.foreign.Arena;

/**
 * Completions taken off the device's queue, already translated for users, who have not polled them yet. Not
 * thread-safe.
 */
final class CompletionStash
{
    private static final int CAPACITY = 4096;

    private long address;
    private Arena arena;
    private int head;
    private int count;

    /** The free capacity. */
    int free()
    {
        return CAPACITY - count;
    }

    /** The address of the next free entry. */
    long next()
    {
        if (arena == null)
        {
            arena = Arena.ofAuto();
            address = arena.allocate((long)CAPACITY * WorkCompletion.SIZE, Long.BYTES).address();
        }
        return slot(head + count);
    }

    /** Adds the entry at {@link #next}. */
    void add()
    {
        count++;
    }

    /**
     * Takes the oldest completions.
     *
     * @param to  destination.
     * @param max maximum number.
     * @return number of completions taken.
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
