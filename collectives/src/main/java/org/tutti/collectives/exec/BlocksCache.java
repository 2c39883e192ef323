/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.pattern.Blocks;

/**
 * Caches the blocks of recent calls, so that a call with the same counts allocates nothing. Thread-safe: concurrent
 * writes lose entries at worst.
 */
final class BlocksCache
{
    private static final int SLOTS = 64;

    private final Blocks[] entries = new Blocks[SLOTS];

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
        final int slot = slot(lengths, offsets);
        final Blocks recent = entries[slot];
        if (recent != null && recent.isOf(lengths, offsets))
        {
            return recent;
        }
        final Blocks blocks = Blocks.of(lengths, offsets);
        entries[slot] = blocks;
        return blocks;
    }

    private static int slot(final long[] lengths, final long[] offsets)
    {
        long hash = 0;
        for (final long length : lengths)
        {
            hash = hash * 31 + length;
        }
        for (int i = 0; offsets != null && i < offsets.length; i++)
        {
            hash = hash * 31 + offsets[i];
        }
        hash *= 0x9E3779B97F4A7C15L;
        return (int)(hash >>> 58);
    }
}
