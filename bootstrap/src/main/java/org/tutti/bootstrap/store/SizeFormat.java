/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats sizes in bytes. */
public final class SizeFormat
{
    private static final Pattern FORM = Pattern.compile("(\\d+)\\s*([kmgt]?)(?:i?b)?");
    private static final String UNITS = "kmgt";
    private static final int SHIFT = 10;
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private SizeFormat()
    {
    }

    /**
     * Parses an integer with an optional unit, a power of 1024: {@code 512}, {@code 4k}, {@code 64M}, {@code 1G},
     * {@code 2TiB}.
     *
     * @param text the text, in upper or lower case.
     * @return the number of bytes, from 0, limited to {@link Long#MAX_VALUE}; -1 if the text is not a size.
     */
    public static long parse(final String text)
    {
        final Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches())
        {
            return -1;
        }
        final String unit = matcher.group(2);
        final int power = unit.isEmpty() ? 0 : UNITS.indexOf(unit) + 1;
        return new BigInteger(matcher.group(1)).shiftLeft(SHIFT * power).min(LARGEST).longValue();
    }

    /**
     * Formats a size for {@link #parse}, with the largest unit that leaves an integer.
     *
     * @param bytes the number of bytes, at least 0.
     * @return the text, such as {@code 512}, {@code 4K} or {@code 64M}.
     */
    public static String format(final long bytes)
    {
        long number = bytes;
        int power = 0;
        while (number != 0 && number % (1 << SHIFT) == 0 && power < UNITS.length())
        {
            number >>= SHIFT;
            power++;
        }
        return number + (power == 0 ? "" : UNITS.substring(power - 1, power).toUpperCase(Locale.ROOT));
    }
}
