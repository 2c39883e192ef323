/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/** Tree of ranks. Stateless, thread-safe. */
public interface Tree
{
    /** Returned by {@link #parent} for the root. */
    int NONE = -1;

    /**
     * Returns the parent of a rank.
     *
     * @param rank rank, from 0.
     * @return a rank, or {@link #NONE} for the root.
     */
    int parent(int rank);

    /**
     * Returns the children of a rank.
     *
     * @param rank rank, from 0.
     * @return new array of ranks, possibly empty, in the order in which to serve them.
     */
    int[] children(int rank);

    /**
     * Returns the depth of a rank.
     *
     * @param rank rank, from 0.
     * @return distance from the root, 0 for the root.
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
