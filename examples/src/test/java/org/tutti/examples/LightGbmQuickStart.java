/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;
import io.github.metarank.lightgbm4j.LGBMException;

import org.tutti.collectives.Communicator;
import org.tutti.lightgbm.LightGbmNetwork;
import org.tutti.lightgbm.TuttiLightGbm;

import java.util.SplittableRandom;

/** The code that docs/integrations/lightgbm.md shows: learns a product. */
public final class LightGbmQuickStart
{
    private static final int ROWS = 2_000;
    private static final int COLUMNS = 8;

    private LightGbmQuickStart()
    {
    }

    /**
     * Runs one rank.
     *
     * @param args unused.
     * @throws LGBMException if LightGBM reports an error.
     */
    public static void main(final String[] args) throws LGBMException
    {
        try (Communicator world = Communicator.world();
            LightGbmNetwork network = TuttiLightGbm.network(world))
        {
            final double[] features = new SplittableRandom(world.rank()).doubles((long)ROWS * COLUMNS).toArray();
            final float[] labels = new float[ROWS];
            for (int row = 0; row < ROWS; row++)
            {
                labels[row] = (float)(features[row * COLUMNS] * features[row * COLUMNS + 1]);
            }
            final String parameters = network.parameters("objective=regression num_leaves=15 verbosity=-1");
            try (LGBMDataset dataset = network.call(() ->
                LGBMDataset.createFromMat(features, ROWS, COLUMNS, true, parameters, null)))
            {
                dataset.setField("label", labels);
                try (LGBMBooster booster = network.call(() -> LGBMBooster.create(dataset, parameters)))
                {
                    for (int i = 0; i < 20; i++)
                    {
                        network.call(booster::updateOneIter);
                    }
                    if (world.rank() == 0)
                    {
                        System.out.println("error " + booster.getEval(0)[0]);
                    }
                }
            }
        }
    }
}
