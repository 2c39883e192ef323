/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.pattern.Blocks;

/**
 * The blocks of recent calls, so that a call with the same counts allocates nothing. Thread-safe: what threads write at
 * the same time is at worst forgotten.
 */
final class BlocksCache
{
    private static final int PLACES = 64;

    private final Blocks[] known = new Blocks[PLACES];

    /**
     * Blocks of some lengths.
     *
     * @param name    name of the lengths, for errors.
     * @param lengths one per rank.
     * @param offsets offset of each, or null for one after the other.
     * @param ranks   number of ranks.
     * @throws IllegalArgumentException if there are not as many as ranks, or one is negative.
     */
    Blocks of(final String name, final long[] lengths, final long[] offsets, final int ranks)
    {
        if (lengths == null || lengths.length != ranks)
        {
            throw new IllegalArgumentException(name + (lengths == null ? " is null" : " has " + lengths.length) +
                ": there must be one count per rank, " + ranks);
        }
        final int place = place(lengths, offsets);
        final Blocks recent = known[place];
        if (recent != null && recent.isOf(lengths, offsets))
        {
            return recent;
        }
        final Blocks blocks = Blocks.of(lengths, offsets);
        known[place] = blocks;
        return blocks;
    }

    private static int place(final long[] lengths, final long[] offsets)
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
