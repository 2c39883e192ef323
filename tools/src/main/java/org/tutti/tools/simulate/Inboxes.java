/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import java.util.Arrays;

/**
 * Arrivals that no WAIT has consumed yet: a queue of times per inbox, all in one pool, because there are very many
 * inboxes and most are empty. Not thread-safe.
 */
final class Inboxes
{
    private static final int NONE = -1;

    private final int[] first;
    private final int[] last;
    private long[] times = new long[1024];
    private int[] next = new int[1024];
    private int free = NONE;
    private int used;

    Inboxes(final int number)
    {
        first = new int[number];
        last = new int[number];
        Arrays.fill(first, NONE);
    }

    boolean isEmpty(final int inbox)
    {
        return first[inbox] == NONE;
    }

    void add(final int inbox, final long time)
    {
        final int node = node();
        times[node] = time;
        next[node] = NONE;
        if (first[inbox] == NONE)
        {
            first[inbox] = node;
        }
        else
        {
            next[last[inbox]] = node;
        }
        last[inbox] = node;
    }

    long remove(final int inbox)
    {
        final int node = first[inbox];
        first[inbox] = next[node];
        next[node] = free;
        free = node;
        return times[node];
    }

    private int node()
    {
        if (free != NONE)
        {
            final int node = free;
            free = next[node];
            return node;
        }
        if (used == times.length)
        {
            times = Arrays.copyOf(times, 2 * used);
            next = Arrays.copyOf(next, 2 * used);
        }
        return used++;
    }
}
