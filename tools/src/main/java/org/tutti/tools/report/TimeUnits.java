/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import java.util.stream.Stream;

/** Units of time that people read, with three digits. */
public enum TimeUnits
{
    /** Up to a microsecond. */
    NANOSECONDS("ns", 1e-3),
    /** Up to a millisecond. */
    MICROSECONDS("µs", 1),
    /** Up to a second. */
    MILLISECONDS("ms", 1e3),
    /** From there on. */
    SECONDS("s", 1e6);

    /** Three digits of it are those of the next unit. */
    private static final double NEXT = 999.5;

    private final String symbol;
    private final double us;

    TimeUnits(final String symbol, final double us)
    {
        this.symbol = symbol;
        this.us = us;
    }

    /**
     * The unit for a time.
     *
     * @param timeUs microseconds.
     * @return the one that leaves one to three digits before the point.
     */
    public static TimeUnits of(final double timeUs)
    {
        return Stream.of(values()).filter(unit -> timeUs < NEXT * unit.us).findFirst().orElse(SECONDS);
    }

    /**
     * A time with no more digits than it needs.
     *
     * @param timeUs microseconds.
     * @return such as {@code 225 ns}.
     */
    public static String time(final double timeUs)
    {
        final TimeUnits unit = of(timeUs);
        return Numbers.significant(timeUs / unit.us) + " " + unit.symbol;
    }

    /**
     * A time in this unit: three digits, and all of those before the point.
     *
     * @param timeUs microseconds.
     * @return such as {@code 1,900}.
     */
    public String number(final double timeUs)
    {
        return Numbers.threeDigits(timeUs / us);
    }

    /**
     * Its symbol.
     *
     * @return such as {@code ns}.
     */
    public String symbol()
    {
        return symbol;
    }
}
