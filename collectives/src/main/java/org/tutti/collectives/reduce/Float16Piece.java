/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

/** Intermediate arrays of {@link Float16Loop}: one object per thread, small enough for the first-level cache. */
final class Float16Piece
{
    /** Maximum length of a piece in bytes. */
    static final int LENGTH = 1 << 11;

    private static final ThreadLocal<Float16Piece> OF_THREAD = ThreadLocal.withInitial(Float16Piece::new);

    private final short[] results = new short[LENGTH / Short.BYTES];
    private final short[] nans = new short[LENGTH / Short.BYTES];

    private Float16Piece()
    {
    }

    static Float16Piece ofThread()
    {
        return OF_THREAD.get();
    }

    short[] results()
    {
        return results;
    }

    /** Negative where the result is NaN. */
    short[] nans()
    {
        return nans;
    }
}
