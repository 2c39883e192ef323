/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import java.util.stream.Stream;

/** Units of time for users, with three digits. */
public enum TimeUnits
{
    /** Up to one microsecond. */
    NANOSECONDS("ns", 1e-3),
    /** Up to one millisecond. */
    MICROSECONDS("µs", 1),
    /** Up to one second. */
    MILLISECONDS("ms", 1e3),
    /** From one second. */
    SECONDS("s", 1e6);

    /** Number from which on the next unit is used: rounded to a whole number, it would have four digits. */
    private static final double NEXT = 999.5;

    private final String symbol;
    private final double us;

    TimeUnits(final String symbol, final double us)
    {
        this.symbol = symbol;
        this.us = us;
    }

    /**
     * Chooses the unit of a time.
     *
     * @param timeUs time in microseconds.
     * @return the unit with one to three digits before the decimal point.
     */
    public static TimeUnits of(final double timeUs)
    {
        return Stream.of(values()).filter(unit -> timeUs < NEXT * unit.us).findFirst().orElse(SECONDS);
    }

    /**
     * Formats a time with no more digits than needed.
     *
     * @param timeUs time in microseconds.
     * @return text such as {@code 225 ns}.
     */
    public static String time(final double timeUs)
    {
        final TimeUnits unit = of(timeUs);
        return Numbers.significant(timeUs / unit.us) + " " + unit.symbol;
    }

    /**
     * Formats a time in this unit with three digits, or with more if the number has more before the decimal point.
     *
     * @param timeUs time in microseconds.
     * @return text such as {@code 1,900}.
     */
    public String number(final double timeUs)
    {
        return Numbers.threeDigits(timeUs / us);
    }

    /**
     * Symbol of the unit.
     *
     * @return symbol such as {@code ns}.
     */
    public String symbol()
    {
        return symbol;
    }
}
