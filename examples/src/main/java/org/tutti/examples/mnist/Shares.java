/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import java.util.SplittableRandom;

/**
 * Who works on what. The order of an epoch comes from the seed alone and a batch is a range of that order, so a step
 * sees the same images however many ranks there are; the ranks split that range among them.
 */
final class Shares
{
    private Shares()
    {
    }

    /**
     * Where a rank's share of some items begins; it ends where that of rank + 1 begins. Shares differ by one at most.
     *
     * @param items number of items, at least 0.
     * @param rank  rank, from 0 to size; for size the end of the last share.
     * @param size  number of ranks.
     * @return from 0 to items.
     */
    static int begin(final int items, final int rank, final int size)
    {
        return (int)((long)items * rank / size);
    }

    /**
     * The order in which an epoch takes the images: the same on all ranks, without a word between them.
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
