/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import java.util.Locale;

/** Numbers as people read them, whatever the user's locale. Stateless. */
public final class Numbers
{
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Numbers()
    {
    }

    /**
     * A size.
     *
     * @param bytes number of bytes, from 0.
     * @return such as {@code 64 KiB}.
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
     * A number of things.
     *
     * @param number number from 0.
     * @return such as {@code 10,000}.
     */
    public static String count(final long number)
    {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /**
     * A quotient.
     *
     * @param ratio more than 0.
     * @return such as {@code 7.67}, {@code 12.3} or {@code 0.00391}.
     */
    public static String ratio(final double ratio)
    {
        return ratio < 0.0995 ? significant(ratio) : threeDigits(ratio);
    }

    /**
     * A value with three digits, and all of those before the point.
     *
     * @param value index of the value, from 0.
     * @return such as {@code 0.23}, {@code 10.0} or {@code 1,130}.
     */
    public static String threeDigits(final double value)
    {
        return String.format(Locale.ROOT, value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%,.0f", value);
    }

    /**
     * A value with three digits at most, none of them a zero behind the point: for labels.
     *
     * @param value any.
     * @return such as {@code 0.5} or {@code 200}.
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

    /** Without zeros after the point, at most one digit there. */
    private static String plain(final double value)
    {
        return String.format(Locale.ROOT, "%.1f", value).replaceFirst("\\.0$", "");
    }
}
