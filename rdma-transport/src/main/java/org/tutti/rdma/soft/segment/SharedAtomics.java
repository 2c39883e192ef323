/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.agrona.UnsafeApi;

/**
 * Compare-and-set of words in shared memory. If the file was truncated, a load makes the JVM throw an
 * {@link InternalError}, but the interpreter's compare-and-set crashes it by SIGBUS. So each method loads the word
 * first, which also avoids the store if the comparison fails. Allocates nothing.
 */
public final class SharedAtomics
{
    private SharedAtomics()
    {
    }

    /**
     * Compare-and-set of 4 bytes.
     *
     * @param address  address of the word.
     * @param expected value to compare with.
     * @param value    value to store.
     * @return true if the word had the expected value and was set.
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

    /** Returns the previous value, which equals the expected one if the new value was stored. */
    public static long compareAndExchangeLong(final long address, final long expected, final long value)
    {
        final long found = UnsafeApi.getLongVolatile(null, address);
        return found == expected ? UnsafeApi.compareAndExchangeLong(null, address, expected, value) : found;
    }
}
