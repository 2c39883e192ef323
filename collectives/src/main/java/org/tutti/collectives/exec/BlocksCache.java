/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.pattern.Blocks;

/**
 * Caches the blocks of recent calls, so that a call with the same counts allocates nothing. It is set-associative:
 * counts and displacements map to a set of {@link #WAYS} slots with FIFO replacement, so that a hit stores nothing.
 * Thread-safe: concurrent calls lose entries at worst.
 */
final class BlocksCache
{
    /** The number of recent blocks that are certain to be kept; an alltoallv has two. */
    static final int WAYS = 8;
    private static final int SETS = 64;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final Blocks[] entries = new Blocks[SETS * WAYS];

    /**
     * Returns blocks with given lengths.
     *
     * @param name    name of the lengths, for errors.
     * @param lengths number of elements of each block, one per rank.
     * @param offsets offset of each block in elements, or null for contiguous blocks.
     * @param ranks   number of ranks.
     * @throws IllegalArgumentException if the number of lengths is not the number of ranks, or one is negative.
     */
    Blocks of(final String name, final long[] lengths, final long[] offsets, final int ranks)
    {
        if (lengths == null || lengths.length != ranks)
        {
            throw new IllegalArgumentException(name + (lengths == null ? " is null" : " has length " + lengths.length) +
                ": must have " + ranks + " counts, one per rank");
        }
        final int first = WAYS * set(lengths, offsets);
        for (int slot = first; slot < first + WAYS; slot++)
        {
            final Blocks recent = entries[slot];
            if (recent == null)
            {
                break;
            }
            if (recent.isOf(lengths, offsets))
            {
                return recent;
            }
        }
        final Blocks blocks = Blocks.of(lengths, offsets);
        System.arraycopy(entries, first, entries, first + 1, WAYS - 1);
        entries[first] = blocks;
        return blocks;
    }

    private static int set(final long[] lengths, final long[] offsets)
    {
        long hash = 0;
        for (final long length : lengths)
        {
            hash = (hash + length) * MULTIPLIER;
        }
        for (int i = 0; offsets != null && i < offsets.length; i++)
        {
            hash = (hash + offsets[i]) * MULTIPLIER;
        }
        // Without this, the top bits are often the same for the same lengths in another order.
        return (int)(((hash ^ hash >>> 32) * MULTIPLIER) >>> 58);
    }
}
