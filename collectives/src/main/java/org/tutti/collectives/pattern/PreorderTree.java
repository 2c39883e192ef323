/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Tree with an order of its ranks in which each subtree is a range that begins with the subtree's root, so that the
 * blocks of a subtree fit one message.
 */
public interface PreorderTree extends Tree
{
    /**
     * Returns the position of a rank in the order.
     *
     * @param rank rank, from 0.
     * @return position, from 0; 0 for the root.
     */
    int position(int rank);

    /**
     * Returns the rank at a position of the order.
     *
     * @param position position, from 0.
     * @return the rank.
     */
    int rankAt(int position);

    /**
     * Returns the size of a rank's subtree, which is a range of positions that begins with that of the rank.
     *
     * @param rank rank, from 0.
     * @return number of ranks, at least 1.
     */
    int span(int rank);
}
