/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import java.util.Arrays;

/**
 * Messages that adapters have taken but that are not routed yet, ordered by time, then by key, then by insertion. A
 * binary heap. Not thread-safe.
 */
final class InjectionQueue
{
    private int[] heap = new int[1024];
    private int size;
    private int sequence;
    private long[] times = new long[1024];
    private long[] keys = new long[1024];
    private int[] sequences = new int[1024];
    private int[] ranks = new int[1024];
    private int[] steps = new int[1024];

    InjectionQueue()
    {
        number(0);
    }

    boolean isEmpty()
    {
        return size == 0;
    }

    /** Time of the first message. */
    long time()
    {
        return times[heap[0]];
    }

    /** Sender of the first message. */
    int rank()
    {
        return ranks[heap[0]];
    }

    /** Step of the first message. */
    int step()
    {
        return steps[heap[0]];
    }

    void add(final long time, final long key, final int rank, final int step)
    {
        if (size == heap.length)
        {
            grow();
        }
        final int slot = heap[size];
        times[slot] = time;
        keys[slot] = key;
        sequences[slot] = sequence++;
        ranks[slot] = rank;
        steps[slot] = step;
        int at = size++;
        while (at > 0 && isBefore(slot, heap[(at - 1) >> 1]))
        {
            heap[at] = heap[(at - 1) >> 1];
            at = (at - 1) >> 1;
        }
        heap[at] = slot;
    }

    void removeFirst()
    {
        final int removed = heap[0];
        final int moved = heap[--size];
        int at = 0;
        while (2 * at + 1 < size)
        {
            int child = 2 * at + 1;
            if (child + 1 < size && isBefore(heap[child + 1], heap[child]))
            {
                child++;
            }
            if (!isBefore(heap[child], moved))
            {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = moved;
        // Entries of the array past the end of the heap are the free slots.
        heap[size] = removed;
    }

    private boolean isBefore(final int a, final int b)
    {
        if (times[a] != times[b])
        {
            return times[a] < times[b];
        }
        // Sequence numbers wrap, but those in the queue are close to each other.
        return keys[a] != keys[b] ? keys[a] < keys[b] : sequences[a] - sequences[b] < 0;
    }

    private void grow()
    {
        final int from = heap.length;
        heap = Arrays.copyOf(heap, 2 * from);
        times = Arrays.copyOf(times, 2 * from);
        keys = Arrays.copyOf(keys, 2 * from);
        sequences = Arrays.copyOf(sequences, 2 * from);
        ranks = Arrays.copyOf(ranks, 2 * from);
        steps = Arrays.copyOf(steps, 2 * from);
        number(from);
    }

    private void number(final int from)
    {
        for (int i = from; i < heap.length; i++)
        {
            heap[i] = i;
        }
    }
}
