/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;
import io.github.metarank.lightgbm4j.LGBMException;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.LocalJob;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class InvalidNetworkTest
{
    @Test
    void shouldNameRanksWhoseNumbersOfFeaturesDifferAndGoOn()
    {
        final List<String> models = LocalJob.call(3, communicator ->
        {
            final int rank = communicator.rank();
            try (LightGbmNetwork network = TuttiLightGbm.network(communicator))
            {
                final String parameters = network.parameters(Shard.PARAMETERS);
                final LightGbmException error = assertThrows(LightGbmException.class, () ->
                    new Shard(rank, rank == 1 ? 11 : 10, 100).train(network, parameters, 1));
                assertEquals("numbers of features differ between ranks: 10 on ranks 0, 2, 11 on rank 1: create the " +
                    "datasets of all ranks with the same columns", error.getMessage());
                assertEquals(List.of(1), error.ranks());
                return new Shard(rank).train(network, parameters, 2);
            }
        });
        assertTrue(models.getFirst().contains("Tree=1"), models.getFirst());
        assertEquals(models.get(0), models.get(2));
    }

    /** Labels of eight negative examples on each rank look like lengths of blocks, and those of positives differ. */
    @Test
    void shouldTrainOnRanksWithFewAndDifferentLabels()
    {
        final List<String> models = LocalJob.call(2, communicator ->
        {
            try (LightGbmNetwork network = TuttiLightGbm.network(communicator))
            {
                final String parameters = network.parameters(Shard.PARAMETERS + " min_data_in_bin=1");
                final int rows = 20 + 10 * communicator.rank();
                final double[] features = new double[rows];
                final float[] labels = new float[rows];
                for (int row = 0; row < rows; row++)
                {
                    features[row] = row;
                    labels[row] = row < 8 ? 0 : 1;
                }
                try (LGBMDataset dataset = network.call(() ->
                    LGBMDataset.createFromMat(features, rows, 1, true, parameters, null)))
                {
                    dataset.setField("label", labels);
                    try (LGBMBooster booster = network.call(() -> LGBMBooster.create(dataset, parameters)))
                    {
                        network.call(booster::updateOneIter);
                        return Shard.trees(booster);
                    }
                }
            }
        });
        assertEquals(models.get(0), models.get(1));
    }

    @Test
    void shouldPassErrorsOfLightGbmOn()
    {
        LocalJob.run(2, communicator ->
        {
            try (LightGbmNetwork network = TuttiLightGbm.network(communicator))
            {
                final Shard shard = new Shard(communicator.rank());
                final String parameters = network.parameters(Shard.PARAMETERS);
                try (LGBMDataset dataset = network.call(() -> shard.dataset(parameters)))
                {
                    final LGBMException error = assertThrows(LGBMException.class, () ->
                        network.call(() -> LGBMBooster.create(dataset, "objective=none_such " + parameters)));
                    assertTrue(error.getMessage().contains("none_such"), error.getMessage());
                }
                shard.train(network, parameters, 1);
            }
        });
    }

    @Test
    void shouldRejectOtherThreads()
    {
        LocalJob.run(2, communicator ->
        {
            final LightGbmNetwork network = TuttiLightGbm.network(communicator);
            final IllegalStateException second =
                assertThrows(IllegalStateException.class, () -> TuttiLightGbm.network(communicator));
            assertTrue(second.getMessage().contains("has a network already"), second.getMessage());
            try (ExecutorService other = Executors.newSingleThreadExecutor())
            {
                final Exception error = assertThrows(Exception.class, () ->
                    other.submit(() -> network.call(() -> 1)).get());
                assertInstanceOf(IllegalStateException.class, error.getCause());
                assertTrue(error.getCause().getMessage().contains("of thread rank-" + communicator.rank()),
                    error.getCause().getMessage());
            }
            try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor())
            {
                final Exception error = assertThrows(Exception.class, () ->
                    virtual.submit(() -> TuttiLightGbm.network(communicator)).get());
                assertTrue(error.getCause().getMessage().contains("virtual thread"), error.getCause().getMessage());
            }
            network.close();
            network.close();
            assertThrows(IllegalStateException.class, () -> network.call(() -> 1));
            assertThrows(IllegalStateException.class, () -> network.parameters(""));
            TuttiLightGbm.network(communicator).close();
        });
    }
}
