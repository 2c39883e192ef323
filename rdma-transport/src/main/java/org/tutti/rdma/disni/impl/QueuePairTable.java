/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import java.util.Arrays;

/**
 * A context's queue pairs by index: a copy-on-write table, changed under a lock and read by polling threads without
 * one.
 */
final class QueuePairTable
{
    private static final int MAX = WorkRequestId.MAX_INDEX;

    private volatile DisniQueuePair[] queuePairs = new DisniQueuePair[4];
    private int attempts;

    /**
     * Adds a queue pair.
     *
     * @param queuePair queue pair without an index.
     * @return index of the queue pair.
     */
    synchronized int add(final DisniQueuePair queuePair)
    {
        final DisniQueuePair[] old = queuePairs;
        int index = 0;
        while (index < old.length && old[index] != null)
        {
            index++;
        }
        if (index > MAX)
        {
            throw new IllegalStateException("too many queue pairs: at most " + (MAX + 1) + " can be open");
        }
        final DisniQueuePair[] copy = Arrays.copyOf(old, index < old.length ? old.length : 2 * old.length);
        copy[index] = queuePair;
        queuePairs = copy;
        return index;
    }

    synchronized void remove(final int index)
    {
        final DisniQueuePair[] copy = queuePairs.clone();
        copy[index] = null;
        queuePairs = copy;
    }

    /**
     * Assigns a number to the requests of a new endpoint, to tell their completions from late ones of the queue pair's
     * earlier endpoints.
     *
     * @return number of 15 bits; repeats after 2^15 calls.
     */
    synchronized int nextAttempt()
    {
        attempts++;
        return attempts & WorkRequestId.MAX_ATTEMPT;
    }

    /**
     * Finds a queue pair.
     *
     * @param index index from a completion.
     * @return the queue pair, or null if it is closed.
     */
    DisniQueuePair find(final int index)
    {
        final DisniQueuePair[] current = queuePairs;
        return index < current.length ? current[index] : null;
    }
}
