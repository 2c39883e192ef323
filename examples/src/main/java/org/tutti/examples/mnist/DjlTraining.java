/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.Blocks;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.pooling.Pool;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.TrainingResult;
import ai.djl.training.dataset.ArrayDataset;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import ai.djl.translate.TranslateException;

import org.tutti.collectives.Communicator;
import org.tutti.djl.DistributedTrainer;
import org.tutti.djl.ShardSampler;
import org.tutti.djl.TorchEngine;
import org.tutti.djl.WireType;

import java.io.IOException;
import java.util.Locale;

/** Trains a convolutional network with DJL on all ranks together, and reports each epoch. */
final class DjlTraining
{
    private static final float MOMENTUM = 0.9f;

    private final Communicator world;
    private final WireType wire;
    private final int batch;
    private final float learningRate;
    private final int seed;

    /**
     * Creates a training.
     *
     * @param world        ranks.
     * @param wire         name of the type in which gradients travel.
     * @param batch        images per step and rank.
     * @param learningRate learning rate of the first step; that of the last is a hundredth of it.
     * @param seed         seed of weights and orders.
     */
    DjlTraining(
        final Communicator world, final String wire, final int batch, final float learningRate, final int seed)
    {
        this.world = world;
        this.wire = WireType.valueOf(wire);
        this.batch = batch;
        this.learningRate = learningRate;
        this.seed = seed;
    }

    private static SequentialBlock network()
    {
        final Shape two = new Shape(2, 2);
        return new SequentialBlock()
            .add(convolution(16)).add(BatchNorm.builder().build()).add(Activation::relu)
            .add(Pool.maxPool2dBlock(two, two))
            .add(convolution(32)).add(Activation::relu)
            .add(Pool.maxPool2dBlock(two, two))
            .add(Blocks.batchFlattenBlock())
            .add(Linear.builder().setUnits(Digits.CLASSES).build());
    }

    private static Block convolution(final int filters)
    {
        return Conv2d.builder().setKernelShape(new Shape(5, 5)).optPadding(new Shape(2, 2)).setFilters(filters).build();
    }

    /**
     * Trains.
     *
     * @param training digits to train on.
     * @param heldOut  digits to evaluate.
     * @param epochs   number of epochs.
     * @param target   accuracy in percent that is expected.
     * @return exit code of the rank.
     */
    int run(final Digits training, final Digits heldOut, final int epochs, final double target)
        throws IOException, TranslateException
    {
        final Engine engine = TorchEngine.load(world);
        engine.setRandomSeed(seed);
        // Accuracy varies by half a percent between epochs unless the rate falls.
        final int steps = epochs * Math.ceilDiv(training.count() / world.size(), batch);
        final Optimizer optimizer = Optimizer.sgd().optMomentum(MOMENTUM).setLearningRateTracker(Tracker.cosine()
            .setBaseValue(learningRate).optFinalValue(learningRate / 100).setMaxUpdates(steps).build()).build();
        final DefaultTrainingConfig config = new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
            .optOptimizer(optimizer).optDevices(new Device[] {Device.cpu()}).addEvaluator(new Accuracy())
            .addTrainingListeners(new EvaluatorTrainingListener());
        try (Model model = Model.newInstance("digits", Device.cpu(), engine.getEngineName()))
        {
            model.setBlock(network());
            try (DistributedTrainer trainer =
                DistributedTrainer.builder(world, model, config).wireType(wire).build())
            {
                trainer.initialize(new Shape(1, 1, Digits.SIDE, Digits.SIDE));
                report("%,d training images, %,d held out; network of %,d parameters; %d ranks over %s, %d images " +
                    "per step and rank%n", training.count(), heldOut.count(), model.getBlock().getParameters().values()
                    .stream().filter(Parameter::requiresGradient).mapToLong(each -> each.getArray().size()).sum(),
                    world.size(), world.transport(), batch);
                return run(trainer, dataset(trainer, training), dataset(trainer, heldOut), epochs, target);
            }
        }
    }

    private Dataset dataset(final DistributedTrainer trainer, final Digits digits)
    {
        return new ArrayDataset.Builder()
            .setData(DjlDigits.images(trainer.getManager(), digits, digits.count()))
            .optLabels(DjlDigits.labels(trainer.getManager(), digits, digits.count()))
            .setSampling(new ShardSampler(world, seed, batch, false)).build();
    }

    private int run(final DistributedTrainer trainer, final Dataset training, final Dataset heldOut, final int epochs,
        final double target) throws IOException, TranslateException
    {
        report("epoch      loss  accuracy   images/s  in exchange%n");
        double accuracy = 0;
        for (int epoch = 1; epoch <= epochs; epoch++)
        {
            final long startNs = System.nanoTime();
            final long exchangeNs = trainer.exchangeNs();
            long images = 0;
            for (final Batch step : trainer.iterateDataset(training))
            {
                images += step.getSize();
                EasyTrain.trainBatch(trainer, step);
                trainer.step();
                step.close();
            }
            final double elapsedNs = System.nanoTime() - startNs;
            EasyTrain.evaluateDataset(trainer, heldOut);
            trainer.notifyListeners(listener -> listener.onEpoch(trainer));
            final TrainingResult result = trainer.getTrainingResult();
            accuracy = 100 * result.getValidateEvaluation("Accuracy");
            report("%5d  %8.5f  %6.2f %%  %9.0f  %10.1f %%%n", epoch, result.getTrainLoss(), accuracy,
                images * world.size() / elapsedNs * 1e9, 100 * (trainer.exchangeNs() - exchangeNs) / elapsedNs);
        }
        final boolean inStep = trainer.inStep();
        report(inStep ? "the weights of all ranks are bitwise equal, with the hash %016x%n" :
            "the weights differ between ranks; those of rank 0 have the hash %016x%n", trainer.fingerprint());
        if (accuracy < target)
        {
            report("accuracy %.2f %% is below --target=%.2f %%: try more --epochs%n", accuracy, target);
        }
        return inStep && accuracy >= target ? 0 : 1;
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private void report(final String format, final Object... values)
    {
        if (world.rank() == 0)
        {
            System.out.printf(Locale.ROOT, format, values);
        }
    }
}
