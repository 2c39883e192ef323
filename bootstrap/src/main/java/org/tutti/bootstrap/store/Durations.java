/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

/** Durations, written for people. */
public final class Durations
{
    private Durations()
    {
    }

    /**
     * Writes a duration in seconds with one decimal, or in milliseconds when it is shorter than a second.
     *
     * @param durationNs nanoseconds.
     * @return such as {@code 5.0 s} or {@code 250 ms}.
     */
    public static String format(final long durationNs)
    {
        if (durationNs < 1_000_000_000L)
        {
            return durationNs / 1_000_000 + " ms";
        }
        final long tenths = Math.round(durationNs / 1e8);
        return tenths / 10 + "." + tenths % 10 + " s";
    }
}
