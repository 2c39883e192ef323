/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

/** Units of time that people read, with three digits. */
enum TimeUnits
{
    /** Up to a microsecond. */
    NANOSECONDS("ns", 1e-3),
    /** Up to a millisecond. */
    MICROSECONDS("µs", 1),
    /** From there on. */
    MILLISECONDS("ms", 1e3);

    /** Three digits of it are those of the next unit. */
    private static final double NEXT = 999.5;

    private final String symbol;
    private final double us;

    TimeUnits(final String symbol, final double us)
    {
        this.symbol = symbol;
        this.us = us;
    }

    /** The one for a time in microseconds. */
    static TimeUnits of(final double timeUs)
    {
        return timeUs < NEXT * NANOSECONDS.us ? NANOSECONDS : timeUs < NEXT ? MICROSECONDS : MILLISECONDS;
    }

    /** A time in microseconds, such as {@code 225 ns}, with no more digits than it needs. */
    static String time(final double timeUs)
    {
        final TimeUnits unit = of(timeUs);
        return Numbers.significant(timeUs / unit.us) + " " + unit.symbol;
    }

    /** Of a time in microseconds how many of this unit it is: three digits, and all of those before the point. */
    String number(final double timeUs)
    {
        return Numbers.threeDigits(timeUs / us);
    }

    /** As people write it. */
    String symbol()
    {
        return symbol;
    }
}
