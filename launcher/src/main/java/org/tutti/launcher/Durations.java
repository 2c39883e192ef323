/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: 90, 90s, 1.5m, 2h, 250ms. */
final class Durations
{
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ms|s|m|min|h|)");
    private static final BigDecimal LONGEST_NS = BigDecimal.valueOf(Long.MAX_VALUE / 4);

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
        final Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (matcher.matches())
        {
            final long unit = switch (matcher.group(2))
            {
                case "ms" -> 1_000_000L;
                case "m", "min" -> 60_000_000_000L;
                case "h" -> 3_600_000_000_000L;
                default -> 1_000_000_000L;
            };
            final BigDecimal ns = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
            if (ns.compareTo(BigDecimal.ONE) >= 0 && ns.compareTo(LONGEST_NS) <= 0)
            {
                return ns.longValue();
            }
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
