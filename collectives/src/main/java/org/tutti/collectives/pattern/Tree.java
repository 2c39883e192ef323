/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/** Ranks in a tree. Stateless, thread-safe. */
public interface Tree
{
    /** What {@link #parent} says of the root. */
    int NONE = -1;

    /**
     * The parent of a rank.
     *
     * @param rank rank, from 0.
     * @return a rank, or {@link #NONE} for the root.
     */
    int parent(int rank);

    /**
     * The children of a rank.
     *
     * @param rank rank, from 0.
     * @return ranks in the order in which to serve them, perhaps none; the caller's own.
     */
    int[] children(int rank);

    /**
     * How far below the root a rank is.
     *
     * @param rank rank, from 0.
     * @return 0 for the root.
     */
    default int depth(final int rank)
    {
        int depth = 0;
        for (int above = parent(rank); above != NONE; above = parent(above))
        {
            depth++;
        }
        return depth;
    }
}
