/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Rules for the block lengths of collectives with counts. The blocks of all ranks add up to the size that is measured.
 */
public enum CountsRule
{
    /** Equal blocks; a remainder is spread over the first ranks, one element each, as in osu_reduce_scatter. */
    EVEN("equal blocks; the first ranks get one element more if there is a remainder")
    {
        @Override
        long before(final int block, final long count, final int ranks)
        {
            return block * (count / ranks) + Math.min(block, count % ranks);
        }
    },
    /** Lengths grow linearly: on n ranks, the last block is n times as long as the first. */
    LINEAR("rank r's block has r + 1 units; in alltoallv the block from r to s has (r + s) mod n + 1")
    {
        @Override
        long before(final int block, final long count, final int ranks)
        {
            final long parts = ranks * (ranks + 1L) / 2;
            final long part = block * (block + 1L) / 2;
            // Avoids count * part, which may overflow.
            return count / parts * part + count % parts * part / parts;
        }
    };

    private final String description;

    CountsRule(final String description)
    {
        this.description = description;
    }

    /**
     * Number of elements in all blocks before {@code block}, of {@code count} in all; if {@code block == ranks},
     * {@code count}.
     */
    abstract long before(int block, long count, int ranks);

    /**
     * Block lengths, starting at any block and wrapping around after the last.
     *
     * @param count elements of all blocks.
     * @param ranks number of blocks, at least 1.
     * @param first index of the block to start at.
     * @return number of elements of each block, {@code first} leading; the numbers add up to {@code count}.
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
     * Finds a rule by its name on the command line.
     *
     * @param label name such as {@code even}.
     * @return the rule; empty if there is none of that name.
     */
    public static Optional<CountsRule> named(final String label)
    {
        return Stream.of(values()).filter(value -> value.label().equals(label)).findFirst();
    }

    /**
     * Name of the rule on the command line.
     *
     * @return a name such as {@code even}.
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
