/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.bootstrap.store.SizeFormat;

import java.util.Locale;

/**
 * Lengths as people write them: {@code 512}, {@code 4k}, {@code 1m}, {@code 2g} (powers of 1024), and ranges of them,
 * {@code 0-4k} (4k is not in it) or {@code 4k-} (no end).
 *
 * @param min bytes, from.
 * @param max bytes, less than; {@link Long#MAX_VALUE} for no end.
 */
record ByteRange(long min, long max)
{
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
        final long bytes = SizeFormat.parse(text);
        if (bytes < 0 || bytes == Long.MAX_VALUE)
        {
            throw new IllegalArgumentException(
                "\"" + text + "\" is no length: a number of bytes, perhaps with k, m, g or t, such as 4k");
        }
        return bytes;
    }

    private static String text(final long bytes)
    {
        return SizeFormat.format(bytes).toLowerCase(Locale.ROOT);
    }
}
