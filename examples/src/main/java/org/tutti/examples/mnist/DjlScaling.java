/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Blocks;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;
import org.tutti.djl.DistributedTrainer;
import org.tutti.djl.TorchEngine;
import org.tutti.djl.WireType;

import java.util.Arrays;
import java.util.Locale;

/**
 * Compares the speed of a training by all ranks together with that of as many independent trainings, on all ranks at
 * the same time. Rounds of both alternate, so that background load affects both alike.
 */
final class DjlScaling
{
    private static final int BATCH = 64;
    private static final int HIDDEN = 2_048;
    private static final int STEPS = 20;
    private static final int WARM_UPS = 3;

    private final Communicator world;
    private final Digits digits;

    private DjlScaling(final Communicator world, final Digits digits)
    {
        this.world = world;
        this.digits = digits;
    }

    /**
     * Measures.
     *
     * @param world  ranks.
     * @param digits images, of which each round uses the first.
     * @param rounds number of rounds, at least 1.
     * @param wire   name of the type in which gradients travel.
     */
    static void run(final Communicator world, final Digits digits, final int rounds, final String wire)
    {
        new DjlScaling(world, digits).run(rounds, WireType.valueOf(wire));
    }

    private static SequentialBlock network()
    {
        return new SequentialBlock().add(Blocks.batchFlattenBlock())
            .add(Linear.builder().setUnits(HIDDEN).build()).add(Activation::relu)
            .add(Linear.builder().setUnits(HIDDEN).build()).add(Activation::relu)
            .add(Linear.builder().setUnits(Digits.CLASSES).build());
    }

    private static TrainingConfig config()
    {
        return new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
            .optOptimizer(Optimizer.sgd().setLearningRateTracker(Tracker.fixed(0.01f)).build())
            .optDevices(new Device[] {Device.cpu()});
    }

    private void run(final int rounds, final WireType wire)
    {
        final String engine = TorchEngine.load(world).getEngineName();
        try (Model alone = Model.newInstance("alone", Device.cpu(), engine);
            Model shared = Model.newInstance("shared", Device.cpu(), engine))
        {
            alone.setBlock(network());
            shared.setBlock(network());
            try (Trainer independent = new Trainer(alone, config());
                DistributedTrainer distributed =
                    DistributedTrainer.builder(world, shared, config()).wireType(wire).build())
            {
                final Shape input = new Shape(BATCH, 1, Digits.SIDE, Digits.SIDE);
                independent.initialize(input);
                distributed.initialize(input);
                if (world.rank() == 0)
                {
                    System.out.printf(Locale.ROOT, "%d-%d-%d-%d network; %d ranks over %s, %d images per step and " +
                        "rank, gradients as %s%nround  independent images/s  together images/s  ratio  in exchange%n",
                        Digits.PIXELS, HIDDEN, HIDDEN, Digits.CLASSES, world.size(), world.transport(), BATCH, wire);
                }
                for (int i = 0; i < WARM_UPS; i++)
                {
                    rate(independent);
                    rate(distributed);
                }
                compare(independent, distributed, rounds);
            }
        }
    }

    private void compare(final Trainer independent, final DistributedTrainer distributed, final int rounds)
    {
        final double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++)
        {
            final double apart = rate(independent);
            final long beforeNs = distributed.exchangeNs();
            final long startNs = System.nanoTime();
            final double together = rate(distributed);
            final double elapsedNs = System.nanoTime() - startNs;
            ratios[round] = together / apart;
            if (world.rank() == 0)
            {
                System.out.printf(Locale.ROOT, "%5d  %20.0f  %17.0f  %5.2f  %9.1f %%%n", round + 1, apart, together,
                    ratios[round], 100 * (distributed.exchangeNs() - beforeNs) / elapsedNs);
            }
        }
        Arrays.sort(ratios);
        if (world.rank() == 0)
        {
            System.out.printf(Locale.ROOT, "median ratio %.2f%n", ratios[rounds / 2]);
        }
    }

    /** Makes steps at the same time as the other ranks; returns the images of all ranks per second. */
    private double rate(final Trainer trainer)
    {
        final int count = STEPS * BATCH;
        final NDArray images = DjlDigits.images(trainer.getManager(), digits, count);
        final NDArray labels = DjlDigits.labels(trainer.getManager(), digits, count);
        world.barrier();
        final long startNs = System.nanoTime();
        for (int first = 0; first < count; first += BATCH)
        {
            try (NDScope scope = new NDScope();
                GradientCollector collector = trainer.newGradientCollector())
            {
                scope.suppressNotUsedWarning();
                final NDIndex batch = new NDIndex().addSliceDim(first, first + BATCH);
                final NDList predictions = trainer.forward(new NDList(images.get(batch)));
                collector.backward(trainer.getLoss().evaluate(new NDList(labels.get(batch)), predictions));
            }
            trainer.step();
        }
        final double[] rate = {count * 1e9 / (System.nanoTime() - startNs)};
        images.close();
        labels.close();
        world.allreduce(rate, ReduceOp.SUM);
        return rate[0];
    }
}
