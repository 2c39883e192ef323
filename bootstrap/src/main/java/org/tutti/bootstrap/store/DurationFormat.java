/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats durations. */
public final class DurationFormat
{
    private static final Pattern FORM = Pattern.compile("(\\d+)(?:\\.(\\d+))?\\s*(ms|s|m|min|h|)");
    private static final int BASE = 10;
    private static final long MS_PER_SECOND = 1_000;

    private DurationFormat()
    {
    }

    /**
     * Parses a number with a unit, such as {@code 250ms}, {@code 30s}, {@code 1.5m} or {@code 2h}; the default unit is
     * seconds.
     *
     * @param text the text, in upper or lower case.
     * @return the duration in nanoseconds, from 0, limited to {@link Long#MAX_VALUE}; -1 if the text is not a duration.
     */
    public static long parse(final String text)
    {
        final Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches())
        {
            return -1;
        }
        final long unitNs = switch (matcher.group(3))
        {
            case "ms" -> 1_000_000L;
            case "m", "min" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> 1_000_000_000L;
        };
        final long fractionNs = matcher.group(2) == null ? 0 : fraction(matcher.group(2), unitNs);
        final long whole = whole(matcher.group(1));
        return whole > (Long.MAX_VALUE - fractionNs) / unitNs ? Long.MAX_VALUE : whole * unitNs + fractionNs;
    }

    /**
     * Parses an integer, limited to the largest long. Avoids BigDecimal, whose initialization takes longer than reading
     * all settings.
     */
    private static long whole(final String digits)
    {
        long number = 0;
        for (int i = 0; i < digits.length(); i++)
        {
            if (number > (Long.MAX_VALUE - BASE) / BASE)
            {
                return Long.MAX_VALUE;
            }
            number = number * BASE + digit(digits, i);
        }
        return number;
    }

    /** Converts decimals to nanoseconds, rounded down; starts at the last digit to avoid overflow. */
    private static long fraction(final String digits, final long unitNs)
    {
        long ns = 0;
        for (int i = digits.length() - 1; i >= 0; i--)
        {
            ns = (ns + digit(digits, i) * unitNs) / BASE;
        }
        return ns;
    }

    private static int digit(final String digits, final int index)
    {
        return digits.charAt(index) - '0';
    }

    /**
     * Formats a duration in seconds with up to three decimals, or in milliseconds if it is shorter than a second.
     *
     * @param durationNs the duration in nanoseconds, rounded down to milliseconds.
     * @return the number, without trailing zeros, and its unit, such as {@code 5 s}, {@code 1.5 s} or {@code 250 ms}.
     */
    public static String format(final long durationNs)
    {
        final long ms = durationNs / 1_000_000;
        if (ms < MS_PER_SECOND)
        {
            return ms + " ms";
        }
        final long fraction = ms % MS_PER_SECOND;
        if (fraction == 0)
        {
            return ms / MS_PER_SECOND + " s";
        }
        final String digits = Long.toString(MS_PER_SECOND + fraction).substring(1);
        return ms / MS_PER_SECOND + "." + digits.replaceFirst("0+$", "") + " s";
    }

    /**
     * Formats a measured duration, in tenths of a second.
     *
     * @param durationNs the duration in nanoseconds.
     * @return the seconds with one decimal, such as {@code 1.0 s}.
     */
    public static String formatMeasured(final long durationNs)
    {
        return String.format(Locale.ROOT, "%.1f s", durationNs / 1e9);
    }
}
