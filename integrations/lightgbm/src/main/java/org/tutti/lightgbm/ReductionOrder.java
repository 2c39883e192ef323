/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

/**
 * The order in which the blocks of all ranks are combined to one rank's result: that of LightGBM's socket network, so
 * that sums, which are rounded, have the same bits. Each combination is of two blocks, in place of the second.
 */
final class ReductionOrder
{
    private final int[] from;
    private final int[] into;
    private final int result;
    private int count;

    private ReductionOrder(final int size, final int result)
    {
        from = new int[size - 1];
        into = new int[size - 1];
        this.result = result;
    }

    private void add(final int source, final int target)
    {
        from[count] = source;
        into[count] = target;
        count++;
    }

    /**
     * Returns the order of recursive halving, of 2^k groups. If the number of ranks is not a power of two, the last
     * ranks form groups of two: the first rank of a group takes the other's data at the beginning, and returns the
     * other's result at the end.
     *
     * @param rank rank whose result is computed.
     * @param size number of ranks, at least 1.
     * @return order.
     */
    static ReductionOrder halving(final int rank, final int size)
    {
        final int groups = Integer.highestOneBit(size);
        final int singles = 2 * groups - size;
        final int own = rank < singles ? rank : singles + (rank - singles) / 2;
        final ReductionOrder order = new ReductionOrder(size, leader(own, singles));
        for (int group = singles; group < groups; group++)
        {
            order.add(leader(group, singles) + 1, leader(group, singles));
        }
        for (int distance = groups / 2; distance > 0; distance /= 2)
        {
            // The groups that still have a partial result for this rank, and what they get from their peers.
            final int first = own / distance * distance;
            final int peer = own / distance % 2 == 0 ? distance : -distance;
            for (int group = first; group < first + distance; group++)
            {
                order.add(leader(group + peer, singles), leader(group, singles));
            }
        }
        return order;
    }

    /**
     * Returns the order of a ring: partial results pass from rank to rank, beginning after the rank whose result it is.
     *
     * @param rank rank whose result is computed.
     * @param size number of ranks, at least 1.
     * @return order.
     */
    static ReductionOrder ring(final int rank, final int size)
    {
        final ReductionOrder order = new ReductionOrder(size, rank);
        for (int step = 1; step < size; step++)
        {
            order.add((rank + step) % size, (rank + step + 1) % size);
        }
        return order;
    }

    private static int leader(final int group, final int singles)
    {
        return group < singles ? group : 2 * group - singles;
    }

    /**
     * Returns the number of combinations.
     *
     * @return number of ranks - 1.
     */
    int count()
    {
        return count;
    }

    /**
     * Returns the block that a combination reads only.
     *
     * @param step combination, from 0.
     * @return rank of the block.
     */
    int from(final int step)
    {
        return from[step];
    }

    /**
     * Returns the block that a combination replaces.
     *
     * @param step combination, from 0.
     * @return rank of the block.
     */
    int into(final int step)
    {
        return into[step];
    }

    /**
     * Returns the block that contains the result in the end.
     *
     * @return rank of the block.
     */
    int result()
    {
        return result;
    }
}
