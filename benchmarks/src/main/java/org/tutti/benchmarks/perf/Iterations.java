/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

/**
 * How often a size is run. It depends on nothing but the size and the options, so that all ranks agree without talking.
 *
 * @param asked       number of timed iterations that the user requests, or 0.
 * @param askedWarmup number of warm-up iterations that the user requests, or -1.
 * @param rowLength   bytes that the iterations of one row move at most, but for {@link #LEAST}.
 * @param most        iterations, however small the size.
 * @param isRepeated  whether a row that something disturbed is timed again.
 */
record Iterations(int asked, int askedWarmup, long rowLength, int most, boolean isRepeated)
{
    /** Keeps rows at a fraction of a second. */
    private static final long ROW_LENGTH = 1L << 30;
    private static final int LEAST = 5;
    private static final int MOST = 10_000;
    private static final int WARMUP_SHARE = 5;
    private static final int WARM_UP_SHARE = 8;

    /**
     * Those of the rows that are printed.
     *
     * @param asked       number of timed iterations that the user requests, or 0.
     * @param askedWarmup number of warm-up iterations that the user requests, or -1.
     * @param isRepeated  whether a row that something disturbed is timed again.
     * @return the same on all ranks.
     */
    static Iterations of(final int asked, final int askedWarmup, final boolean isRepeated)
    {
        return new Iterations(asked, askedWarmup, ROW_LENGTH, MOST, isRepeated);
    }

    /**
     * Those of rows that are not printed, so that it does not matter what disturbs them.
     *
     * @return the same on all ranks.
     */
    static Iterations ofWarmUp()
    {
        return new Iterations(0, 0, ROW_LENGTH / WARM_UP_SHARE, MOST / WARM_UP_SHARE, false);
    }

    /**
     * How many are timed.
     *
     * @param length bytes of one.
     * @return at least 1.
     */
    int timed(final long length)
    {
        return asked > 0 ? asked : bySize(length);
    }

    /**
     * How many come before, untimed.
     *
     * @param length bytes of one.
     * @return from 0.
     */
    int warmup(final long length)
    {
        return askedWarmup >= 0 ? askedWarmup : bySize(length) / WARMUP_SHARE;
    }

    private int bySize(final long length)
    {
        return Math.clamp(rowLength / Math.max(1, length), LEAST, most);
    }
}
