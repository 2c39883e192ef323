/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;
import io.github.metarank.lightgbm4j.LGBMException;

import org.apache.spark.api.java.JavaRDD;
import org.tutti.collectives.Communicator;
import org.tutti.lightgbm.LightGbmNetwork;
import org.tutti.lightgbm.TuttiLightGbm;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The code that docs/integrations/lightgbm.md shows for Spark: trees from the rows of all partitions. */
final class LightGbmOnSpark
{
    private LightGbmOnSpark()
    {
    }

    /** Returns the model. A row is a label, then the features. */
    static String train(final JavaRDD<double[]> rows, final String own)
    {
        return TuttiSpark.mapPartitions(rows, (communicator, partition) -> trees(communicator, partition, own))
            .collect().getFirst();
    }

    /** Returns the model on rank 0, and nothing on other ranks, which have the same. */
    static Iterator<String> trees(final Communicator communicator, final Iterator<double[]> partition,
        final String own) throws LGBMException
    {
        final List<double[]> rows = new ArrayList<>();
        partition.forEachRemaining(rows::add);
        final int columns = rows.getFirst().length - 1;
        final double[] features = new double[rows.size() * columns];
        final float[] labels = new float[rows.size()];
        for (int row = 0; row < labels.length; row++)
        {
            labels[row] = (float)rows.get(row)[0];
            System.arraycopy(rows.get(row), 1, features, row * columns, columns);
        }
        try (LightGbmNetwork network = TuttiLightGbm.network(communicator))
        {
            final String parameters = network.parameters(own);
            try (LGBMDataset dataset = network.call(() ->
                LGBMDataset.createFromMat(features, labels.length, columns, true, parameters, null)))
            {
                dataset.setField("label", labels);
                try (LGBMBooster booster = network.call(() -> LGBMBooster.create(dataset, parameters)))
                {
                    for (int i = 0; i < 20; i++)
                    {
                        network.call(booster::updateOneIter);
                    }
                    return communicator.rank() > 0 ? List.<String>of().iterator() : List.of(
                        booster.saveModelToString(0, -1, LGBMBooster.FeatureImportanceType.GAIN)).iterator();
                }
            }
        }
    }
}
