/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.agrona.UnsafeApi;

/** Copies bytes within this process's address space. Stateless. */
final class Copier
{
    /**
     * Copies are split, because the JVM reaches a safepoint only between them: a long copy would delay garbage
     * collection.
     */
    private static final long CHUNK = 1 << 20;
    private static final long SMALL = 64;

    private Copier()
    {
    }

    /**
     * Copies bytes.
     *
     * @param from   address of the first byte.
     * @param to     address of the first byte; the ranges must be disjoint or identical.
     * @param length length in bytes.
     */
    static void copy(final long from, final long to, final long length)
    {
        if (length <= SMALL)
        {
            copySmall(from, to, (int)length);
            return;
        }
        for (long done = 0; done < length; done += CHUNK)
        {
            UnsafeApi.copyMemory(from + done, to + done, Math.min(CHUNK, length - done));
        }
    }

    private static void copySmall(final long from, final long to, final int length)
    {
        int done = 0;
        for (; done + 8 <= length; done += 8)
        {
            UnsafeApi.putLong(to + done, UnsafeApi.getLong(from + done));
        }
        if (done + 4 <= length)
        {
            UnsafeApi.putInt(to + done, UnsafeApi.getInt(from + done));
            done += 4;
        }
        for (; done < length; done++)
        {
            UnsafeApi.putByte(to + done, UnsafeApi.getByte(from + done));
        }
    }
}
