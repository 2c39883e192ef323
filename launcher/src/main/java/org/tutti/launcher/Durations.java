/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.math.BigDecimal;

import org.tutti.bootstrap.store.DurationFormat;

/** Durations as people write them: 90, 90s, 1.5m, 2h, 250ms. */
final class Durations
{
    private static final long LONGEST_NS = Long.MAX_VALUE / 4;

    private Durations()
    {
    }

    /**
     * Reads a duration.
     *
     * @param option that it is given to, for the error.
     * @param text   a number with a unit, or seconds.
     * @return nanoseconds, more than 0.
     * @throws UsageException if it is none.
     */
    static long parse(final String option, final String text)
    {
        final long ns = DurationFormat.parse(text);
        if (ns > 0 && ns <= LONGEST_NS)
        {
            return ns;
        }
        throw new UsageException(option + " '" + text + "' is not a duration: give a number above 0 and a unit " +
            "(ms, s, m, h), such as 30s or 1.5m");
    }

    /** A duration in seconds, or in milliseconds below one. */
    static String text(final long ns)
    {
        return ns < 1_000_000_000L ?
            ns / 1_000_000 + " ms" :
            BigDecimal.valueOf(ns / 1_000_000, 3).stripTrailingZeros().toPlainString() + " s";
    }
}
