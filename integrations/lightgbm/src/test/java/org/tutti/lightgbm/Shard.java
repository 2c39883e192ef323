/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;
import io.github.metarank.lightgbm4j.LGBMException;

import java.util.SplittableRandom;

/** Rows of one rank of a small binary classification, always the same, and LightGBM's objects with them. */
final class Shard
{
    static final int COLUMNS = 12;
    /** Parameters with which a training repeats all bits. */
    static final String PARAMETERS = "objective=binary num_leaves=15 min_data_in_leaf=5 num_threads=1 " +
        "deterministic=true force_col_wise=true verbosity=-1";
    private static final int ROWS = 400;

    private final int columns;
    private final double[] features;
    private final float[] labels;

    Shard(final int rank)
    {
        this(rank, COLUMNS, ROWS);
    }

    /**
     * Creates rows.
     *
     * @param rank    rank, which the rows depend on.
     * @param columns number of features, at least 3.
     * @param rows    number of rows.
     */
    Shard(final int rank, final int columns, final int rows)
    {
        this.columns = columns;
        features = new double[rows * columns];
        labels = new float[rows];
        final SplittableRandom random = new SplittableRandom(31 + rank);
        for (int row = 0; row < rows; row++)
        {
            for (int column = 0; column < columns; column++)
            {
                features[row * columns + column] = random.nextDouble();
            }
            final int start = row * columns;
            final double score = features[start] * features[start + 1] + Math.sin(7 * features[start + 2]) - 0.3;
            labels[row] = score + random.nextDouble(-0.4, 0.4) > 0 ? 1 : 0;
        }
    }

    LGBMDataset dataset(final String parameters) throws LGBMException
    {
        final LGBMDataset dataset =
            LGBMDataset.createFromMat(features, labels.length, columns, true, parameters, null);
        dataset.setField("label", labels);
        return dataset;
    }

    /** Trains through a network; returns the model. */
    String train(final LightGbmNetwork network, final String parameters, final int iterations) throws LGBMException
    {
        try (LGBMDataset dataset = network.call(() -> dataset(parameters));
            LGBMBooster booster = network.call(() -> LGBMBooster.create(dataset, parameters)))
        {
            for (int i = 0; i < iterations; i++)
            {
                network.call(booster::updateOneIter);
            }
            return trees(booster);
        }
    }

    /** Returns the model without the parameters that it ends with. */
    static String trees(final LGBMBooster booster) throws LGBMException
    {
        final String model = booster.saveModelToString(0, -1, LGBMBooster.FeatureImportanceType.GAIN);
        return model.substring(0, model.indexOf("\nparameters:"));
    }
}
