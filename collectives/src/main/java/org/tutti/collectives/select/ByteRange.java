/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

/**
 * Lengths as people write them: {@code 512}, {@code 4k}, {@code 1m}, {@code 2g} (powers of 1024), and ranges of them,
 * {@code 0-4k} (4k is not in it) or {@code 4k-} (no end).
 *
 * @param min bytes, from.
 * @param max bytes, less than; {@link Long#MAX_VALUE} for no end.
 */
record ByteRange(long min, long max)
{
    private static final String UNITS = "kmgt";

    /**
     * Reads a range.
     *
     * @param text such as {@code 0-4k}.
     * @return never empty.
     * @throws IllegalArgumentException if it is none, or is empty.
     */
    static ByteRange parse(final String text)
    {
        final int dash = text.indexOf('-');
        if (dash < 0)
        {
            throw new IllegalArgumentException("\"" + text + "\" is no range of lengths such as 0-4k or 4k-");
        }
        final long min = parseBytes(text.substring(0, dash));
        final String end = text.substring(dash + 1);
        final long max = end.isEmpty() ? Long.MAX_VALUE : parseBytes(end);
        if (min >= max)
        {
            throw new IllegalArgumentException("\"" + text + "\" is empty: its end must be more than its begin");
        }
        return new ByteRange(min, max);
    }

    boolean contains(final long bytes)
    {
        return min <= bytes && (bytes < max || max == Long.MAX_VALUE);
    }

    boolean overlaps(final ByteRange other)
    {
        return min < other.max && other.min < max;
    }

    @Override
    public String toString()
    {
        return text(min) + "-" + (max == Long.MAX_VALUE ? "" : text(max));
    }

    private static long parseBytes(final String text)
    {
        final int last = text.length() - 1;
        final int unit = text.isEmpty() ? -1 : UNITS.indexOf(Character.toLowerCase(text.charAt(last)));
        try
        {
            final long number = Long.parseLong(unit < 0 ? text : text.substring(0, last));
            return Math.multiplyExact(number, 1L << (10 * (unit + 1)));
        }
        catch (final NumberFormatException | ArithmeticException ex)
        {
            throw new IllegalArgumentException(
                "\"" + text + "\" is no length: a number of bytes, perhaps with k, m, g or t, such as 4k", ex);
        }
    }

    private static String text(final long bytes)
    {
        long number = bytes;
        int unit = -1;
        while (number != 0 && number % 1024 == 0 && unit < UNITS.length() - 1)
        {
            number /= 1024;
            unit++;
        }
        return number + (unit < 0 ? "" : UNITS.substring(unit, unit + 1));
    }
}
