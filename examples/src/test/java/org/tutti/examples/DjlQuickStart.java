/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.TrainingConfig;
import ai.djl.training.dataset.ArrayDataset;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.translate.TranslateException;

import org.tutti.collectives.Communicator;
import org.tutti.djl.DistributedTrainer;
import org.tutti.djl.ShardSampler;
import org.tutti.djl.TorchEngine;

import java.io.IOException;

/** The code that docs/integrations/djl.md shows: learns a sum. */
public final class DjlQuickStart
{
    private static final int RECORDS = 1_024;
    private static final int FEATURES = 16;

    private DjlQuickStart()
    {
    }

    /**
     * Runs one rank.
     *
     * @param args unused.
     * @throws IOException        if the data cannot be read.
     * @throws TranslateException if the data cannot be converted.
     */
    public static void main(final String[] args) throws IOException, TranslateException
    {
        try (Communicator world = Communicator.world();
            Model model = Model.newInstance("sum", Device.cpu(), TorchEngine.load(world).getEngineName()))
        {
            model.setBlock(new SequentialBlock().add(Linear.builder().setUnits(64).build()).add(Activation::relu)
                .add(Linear.builder().setUnits(1).build()));
            final TrainingConfig config = new DefaultTrainingConfig(Loss.l2Loss())
                .optDevices(new Device[] {Device.cpu()}).addTrainingListeners(new EvaluatorTrainingListener());
            try (DistributedTrainer trainer = DistributedTrainer.builder(world, model, config).build())
            {
                trainer.initialize(new Shape(1, FEATURES));
                final NDArray data = trainer.getManager().randomNormal(new Shape(RECORDS, FEATURES));
                final Dataset dataset = new ArrayDataset.Builder()
                    .setData(data).optLabels(data.sum(new int[] {1}, true))
                    .setSampling(new ShardSampler(world, 1, 32, true)).build();
                EasyTrain.fit(trainer, 5, dataset, null);
                if (world.rank() == 0)
                {
                    System.out.println("loss " + trainer.getTrainingResult().getTrainLoss());
                }
            }
        }
    }
}
