/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import java.util.Arrays;

/**
 * A context's queue pairs by index. Changed rarely, under a lock, by copying; looked up by those who poll, without one.
 */
final class QueuePairTable
{
    private static final int MAX = WorkRequestId.MAX_INDEX;

    private volatile DisniQueuePair[] queuePairs = new DisniQueuePair[4];
    private int attempts;

    /**
     * Adds a queue pair.
     *
     * @param queuePair the queue pair that has no index yet.
     * @return its index.
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
            throw new IllegalStateException("more than " + MAX + " queue pairs");
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
     * A number for what is posted to one endpoint, by which late completions of the one before it are known.
     *
     * @return that comes again after a long time only.
     */
    synchronized int nextAttempt()
    {
        attempts++;
        return attempts & WorkRequestId.MAX_ATTEMPT;
    }

    /**
     * Looks up.
     *
     * @param index index from a completion.
     * @return null if it is closed.
     */
    DisniQueuePair find(final int index)
    {
        final DisniQueuePair[] current = queuePairs;
        return index < current.length ? current[index] : null;
    }
}
