/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

/**
 * Number of iterations for each size. It depends only on the size and the options, so that all ranks agree without
 * communication.
 *
 * @param asked       number of timed iterations that the user requests, or 0 to choose by size.
 * @param askedWarmup number of warm-up iterations that the user requests, or -1 to choose by size.
 * @param rowLength   maximum bytes that the iterations of one row move, unless {@link #LEAST} iterations need more.
 * @param most        maximum number of iterations for small sizes.
 * @param isRepeated  whether a disturbed row is timed again.
 */
record Iterations(int asked, int askedWarmup, long rowLength, int most, boolean isRepeated)
{
    /** Default of {@code rowLength}: limits a row to a fraction of a second. */
    private static final long ROW_LENGTH = 1L << 30;
    private static final int LEAST = 5;
    private static final int MOST = 10_000;
    private static final int WARMUP_SHARE = 5;
    private static final int WARM_UP_SHARE = 8;

    /**
     * Iterations of printed rows.
     *
     * @param asked       number of timed iterations that the user requests, or 0 to choose by size.
     * @param askedWarmup number of warm-up iterations that the user requests, or -1 to choose by size.
     * @param isRepeated  whether a disturbed row is timed again.
     * @return number of iterations by size, the same on all ranks.
     */
    static Iterations of(final int asked, final int askedWarmup, final boolean isRepeated)
    {
        return new Iterations(asked, askedWarmup, ROW_LENGTH, MOST, isRepeated);
    }

    /**
     * Iterations of warm-up rows, which are not printed, and so not timed again if background load disturbs them.
     *
     * @return number of iterations by size, the same on all ranks.
     */
    static Iterations ofWarmUp()
    {
        return new Iterations(0, 0, ROW_LENGTH / WARM_UP_SHARE, MOST / WARM_UP_SHARE, false);
    }

    /**
     * Number of timed iterations.
     *
     * @param length bytes of one iteration.
     * @return number of iterations, at least 1.
     */
    int timed(final long length)
    {
        return asked > 0 ? asked : bySize(length);
    }

    /**
     * Number of untimed iterations before the timed ones.
     *
     * @param length bytes of one iteration.
     * @return number of iterations, at least 0.
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
