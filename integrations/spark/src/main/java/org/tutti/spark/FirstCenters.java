/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Chooses the first centers of a clustering by k-means++ (D. Arthur, S. Vassilvitskii, "k-means++: the advantages of
 * careful seeding", SODA 2007): each is a random point, with a probability in proportion to its squared distance to the
 * nearest center before it. All of them together need as many distances as one iteration.
 */
final class FirstCenters
{
    private FirstCenters()
    {
    }

    /**
     * Chooses centers. Collective: all ranks choose the same ones.
     *
     * @param candidates all points, at least one.
     * @param clusters   number of centers.
     * @param seed       seed of the choice.
     */
    static void choose(final CenterCandidates candidates, final int clusters, final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        int partition = 0;
        for (int center = 0; center < clusters; center++)
        {
            final double[] weights = candidates.weights();
            double rest = random.nextDouble() * Arrays.stream(weights).sum();
            // If all points are equal to centers, nothing has a weight: the last partition is chosen again.
            double target = 0;
            for (int i = 0; i < weights.length && rest >= 0; i++)
            {
                if (weights[i] > 0)
                {
                    partition = i;
                    target = rest;
                }
                rest -= weights[i];
            }
            candidates.choose(partition, target);
        }
    }
}
