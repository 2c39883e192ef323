/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import java.util.SplittableRandom;

/**
 * Distribution of work over ranks. The order of an epoch depends only on the seed and a batch is a range of that order,
 * so that a step uses the same images on any number of ranks; the ranks split the range.
 */
final class Shares
{
    private Shares()
    {
    }

    /**
     * Start of a rank's share of some items; the share ends where that of rank + 1 starts. Shares differ by at most one
     * item.
     *
     * @param items number of items, at least 0.
     * @param rank  rank, from 0 to size; size gives the end of the last share.
     * @param size  number of ranks.
     * @return index from 0 to items.
     */
    static int begin(final int items, final int rank, final int size)
    {
        return (int)((long)items * rank / size);
    }

    /**
     * Order in which an epoch uses the images: the same on all ranks without communication.
     *
     * @param count number of images.
     * @param seed  seed of the training.
     * @param epoch index of the epoch, from 1.
     * @return a permutation of 0 to count - 1.
     */
    static int[] order(final int count, final long seed, final int epoch)
    {
        final SplittableRandom random = new SplittableRandom(seed * 1_000_003 + epoch);
        final int[] order = new int[count];
        for (int i = 0; i < count; i++)
        {
            final int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }
}
