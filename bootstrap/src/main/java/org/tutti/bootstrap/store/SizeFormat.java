/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes in bytes, written by people and for people. */
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
     * Reads a whole number, perhaps with a unit, a power of 1024: {@code 512}, {@code 4k}, {@code 64M}, {@code 1G},
     * {@code 2TiB}.
     *
     * @param text text in upper or lower case.
     * @return bytes, from 0, and at most {@link Long#MAX_VALUE} of them; -1 if the text is no size.
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
     * Writes a size as {@link #parse} reads it, with the largest unit that leaves a whole number.
     *
     * @param bytes number of bytes, from 0.
     * @return such as {@code 512}, {@code 4K} or {@code 64M}.
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
