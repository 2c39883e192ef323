/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

/**
 * How often a size is run. It depends on nothing but the size and the options, so that all ranks agree without talking.
 */
final class Iterations
{
    /** What the iterations of one row move at most, for small sizes: keeps rows at a fraction of a second. */
    private static final long ROW_LENGTH = 1L << 30;
    private static final int LEAST = 5;
    private static final int MOST = 10_000;
    private static final int WARMUP_SHARE = 5;

    private Iterations()
    {
    }

    /**
     * How many are timed.
     *
     * @param length bytes of one.
     * @param asked  what the user wants, or 0.
     * @return at least 1.
     */
    static int timed(final long length, final int asked)
    {
        return asked > 0 ? asked : Math.clamp(ROW_LENGTH / Math.max(1, length), LEAST, MOST);
    }

    /**
     * How many come before, untimed.
     *
     * @param length bytes of one.
     * @param asked  what the user wants, or -1.
     * @return from 0.
     */
    static int warmup(final long length, final int asked)
    {
        return asked >= 0 ? asked : timed(length, 0) / WARMUP_SHARE;
    }
}
