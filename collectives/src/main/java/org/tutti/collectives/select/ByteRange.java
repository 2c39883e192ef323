/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.bootstrap.store.SizeFormat;

import java.util.Locale;

/**
 * A range of lengths, written as {@code 0-4k} (4k excluded) or {@code 4k-} (no end). Lengths are written as
 * {@code 512}, {@code 4k}, {@code 1m} or {@code 2g} (powers of 1024).
 *
 * @param min minimum length in bytes, inclusive.
 * @param max maximum length in bytes, exclusive; {@link Long#MAX_VALUE} for no end.
 */
record ByteRange(long min, long max)
{
    /**
     * Parses a range.
     *
     * @param text range, such as {@code 0-4k}.
     * @return range, never empty.
     * @throws IllegalArgumentException if the text is not a range, or the range is empty.
     */
    static ByteRange parse(final String text)
    {
        final int dash = text.indexOf('-');
        if (dash < 0)
        {
            throw new IllegalArgumentException("\"" + text + "\" is not a byte range: must be such as 0-4k or 4k-");
        }
        final long min = parseBytes(text.substring(0, dash));
        final String end = text.substring(dash + 1);
        final long max = end.isEmpty() ? Long.MAX_VALUE : parseBytes(end);
        if (min >= max)
        {
            throw new IllegalArgumentException("\"" + text + "\" is empty: its end must be greater than its start");
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
        final long bytes = SizeFormat.parse(text);
        if (bytes < 0 || bytes == Long.MAX_VALUE)
        {
            throw new IllegalArgumentException(
                "\"" + text + "\" is not a length: must be a number of bytes with an optional suffix k, m, g or t, " +
                "such as 4k");
        }
        return bytes;
    }

    private static String text(final long bytes)
    {
        return SizeFormat.format(bytes).toLowerCase(Locale.ROOT);
    }
}
