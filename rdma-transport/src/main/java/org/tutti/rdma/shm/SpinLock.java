/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;

/** A lock word in native memory between the threads of one process, as libibverbs' providers have. Not reentrant. */
final class SpinLock
{
    private static final int SPINS = 100;

    private SpinLock()
    {
    }

    @SuppressWarnings("ThreadPriorityCheck")
    static void lock(final long word)
    {
        int attempt = 0;
        while (!tryLock(word))
        {
            if (++attempt < SPINS)
            {
                Thread.onSpinWait();
            }
            else
            {
                Thread.yield();
            }
        }
    }

    static boolean tryLock(final long word)
    {
        return UnsafeApi.compareAndSetInt(null, word, 0, 1);
    }

    static void unlock(final long word)
    {
        UnsafeApi.putIntRelease(null, word, 0);
    }
}
