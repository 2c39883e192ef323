/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import java.util.Locale;

/** Formats numbers for users, independent of their locale. Stateless. */
public final class Numbers
{
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Numbers()
    {
    }

    /**
     * Formats a size.
     *
     * @param bytes number of bytes, at least 0.
     * @return text such as {@code 64 KiB}.
     */
    public static String size(final long bytes)
    {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < UNITS.length - 1)
        {
            value /= 1024;
            unit++;
        }
        return plain(value) + " " + UNITS[unit];
    }

    /**
     * Formats a count.
     *
     * @param number number, at least 0.
     * @return text such as {@code 10,000}.
     */
    public static String count(final long number)
    {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /**
     * Formats a quotient.
     *
     * @param ratio quotient, greater than 0.
     * @return text such as {@code 7.67}, {@code 12.3} or {@code 0.00391}.
     */
    public static String ratio(final double ratio)
    {
        return ratio < 0.0995 ? significant(ratio) : threeDigits(ratio);
    }

    /**
     * Formats a value with three digits, or with more if the value has more before the decimal point.
     *
     * @param value value, at least 0.
     * @return text such as {@code 0.23}, {@code 10.0} or {@code 1,130}.
     */
    public static String threeDigits(final double value)
    {
        return String.format(Locale.ROOT, value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%,.0f", value);
    }

    /**
     * Formats a label of at most three digits, without trailing zeros after the decimal point.
     *
     * @param value any value.
     * @return text such as {@code 0.5} or {@code 200}.
     */
    public static String significant(final double value)
    {
        if (value == 0)
        {
            return "0";
        }
        final int digits = Math.clamp(2 - (int)Math.floor(Math.log10(Math.abs(value) * (1 + 1e-9))), 0, 9);
        final String text = String.format(Locale.ROOT, "%." + digits + "f", value);
        return text.indexOf('.') < 0 ? text : text.replaceFirst("0+$", "").replaceFirst("\\.$", "");
    }

    /** Formats a value with at most one digit after the decimal point, and without trailing zeros. */
    private static String plain(final double value)
    {
        return String.format(Locale.ROOT, "%.1f", value).replaceFirst("\\.0$", "");
    }
}
