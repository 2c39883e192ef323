/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

/** Intermediate arrays of {@link Float16Loop}: one object per thread, small enough for the first-level cache. */
final class Float16Buffer
{
    /** Length of each array in bytes. */
    static final int LENGTH = 1 << 11;

    private static final ThreadLocal<Float16Buffer> OF_THREAD = ThreadLocal.withInitial(Float16Buffer::new);

    private final short[] results = new short[LENGTH / Short.BYTES];
    private final short[] nans = new short[LENGTH / Short.BYTES];

    private Float16Buffer()
    {
    }

    static Float16Buffer ofThread()
    {
        return OF_THREAD.get();
    }

    short[] results()
    {
        return results;
    }

    /** Array whose elements are negative where the result is NaN. */
    short[] nans()
    {
        return nans;
    }
}
