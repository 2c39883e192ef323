/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** How long the blocks of a collective with counts are. All together are as long as the size says. */
public enum Counts
{
    /** As equal as can be: the first ranks' are an element longer where they cannot be, as in osu_reduce_scatter. */
    EVEN("blocks as equal as can be, the first ranks' longer by one element if need be")
    {
        @Override
        long before(final int block, final long count, final int ranks)
        {
            return block * (count / ranks) + Math.min(block, count % ranks);
        }
    },
    /** The last block is as many times as long as the first as there are ranks, and those in between on a line. */
    LINEAR("rank r's block has r + 1 parts; in alltoallv that from r to s (r + s) mod n + 1")
    {
        @Override
        long before(final int block, final long count, final int ranks)
        {
            final long parts = ranks * (ranks + 1L) / 2;
            final long part = block * (block + 1L) / 2;
            // Without the product of count and part, which may be too long to count.
            return count / parts * part + count % parts * part / parts;
        }
    };

    private final String description;

    Counts(final String description)
    {
        this.description = description;
    }

    /** How many elements there are before a block; behind the last one for the number of ranks. */
    abstract long before(int block, long count, int ranks);

    /**
     * The lengths of blocks, beginning with one of them and coming to the first after the last.
     *
     * @param count elements of all blocks.
     * @param ranks number of blocks, at least 1.
     * @param first index of the rule's block that is the first.
     * @return elements of each; their sum is the count.
     */
    public long[] lengths(final long count, final int ranks, final int first)
    {
        final long[] lengths = new long[ranks];
        for (int i = 0; i < ranks; i++)
        {
            final int block = (first + i) % ranks;
            lengths[i] = before(block + 1, count, ranks) - before(block, count, ranks);
        }
        return lengths;
    }

    /**
     * The rule that the command line calls so.
     *
     * @param label such as {@code even}.
     * @return empty if there is none.
     */
    public static Optional<Counts> named(final String label)
    {
        return Stream.of(values()).filter(value -> value.label().equals(label)).findFirst();
    }

    /**
     * Its name on the command line.
     *
     * @return such as {@code even}.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    String description()
    {
        return description;
    }
}
