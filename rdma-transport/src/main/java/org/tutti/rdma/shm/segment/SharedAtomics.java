/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.segment;

import org.agrona.UnsafeApi;

/**
 * Compare-and-set of words in shared memory. A page whose file was truncated can be loaded: the JVM then throws an
 * {@link InternalError}. The interpreter's compare-and-set has no such guard, and the JVM ends by SIGBUS. So each of
 * these loads the word first, which also spares the store where the comparison fails. Allocates nothing.
 */
public final class SharedAtomics
{
    private SharedAtomics()
    {
    }

    /**
     * Compares and sets 4 bytes.
     *
     * @param address  address of the word.
     * @param expected value.
     * @param value    value to store.
     * @return whether the value was the expected one, and is stored.
     */
    public static boolean compareAndSetInt(final long address, final int expected, final int value)
    {
        return UnsafeApi.getIntVolatile(null, address) == expected &&
            UnsafeApi.compareAndSetInt(null, address, expected, value);
    }

    static boolean compareAndSetLong(final long address, final long expected, final long value)
    {
        return UnsafeApi.getLongVolatile(null, address) == expected &&
            UnsafeApi.compareAndSetLong(null, address, expected, value);
    }

    /** Returns the value before, which is the expected one if the new one was stored. */
    public static long compareAndExchangeLong(final long address, final long expected, final long value)
    {
        final long found = UnsafeApi.getLongVolatile(null, address);
        return found == expected ? UnsafeApi.compareAndExchangeLong(null, address, expected, value) : found;
    }
}
