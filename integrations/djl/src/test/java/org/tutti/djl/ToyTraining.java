/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.TrainingConfig;
import ai.djl.training.dataset.ArrayDataset;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.listener.TrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;

import org.tutti.collectives.Communicator;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** A small classification that ranks learn in milliseconds: a network, 96 records of random data, and a trainer. */
final class ToyTraining implements AutoCloseable
{
    static final int FEATURES = 8;
    static final int CLASSES = 3;
    static final int RECORDS = 96;
    private static final long DATA_SEED = 11;

    /** Loads the parameters of a model. */
    @FunctionalInterface
    interface Loader
    {
        void load(Model model) throws Exception;
    }

    private final Model model = Model.newInstance("toy", Device.cpu(), "PyTorch");
    private final DistributedTrainer trainer;
    private final Communicator communicator;

    /**
     * Creates the training of one rank. Its initial weights depend on the rank: rank 0's must be copied to others.
     *
     * @param communicator the ranks.
     * @param block        network.
     * @param config       configuration.
     * @param options      sets options of the trainer.
     */
    ToyTraining(final Communicator communicator, final Block block, final TrainingConfig config,
        final UnaryOperator<DistributedTrainer.Builder> options) throws Exception
    {
        this(communicator, block, config, options, model -> { });
    }

    /** Creates the training of a model that is loaded first. */
    ToyTraining(final Communicator communicator, final Block block, final TrainingConfig config,
        final UnaryOperator<DistributedTrainer.Builder> options, final Loader loader) throws Exception
    {
        this.communicator = communicator;
        final SplittableRandom random = new SplittableRandom(100 + communicator.rank());
        block.setInitializer((manager, shape, type) -> manager.create(floats(random, (int)shape.size()), shape),
            Parameter.Type.WEIGHT);
        model.setBlock(block);
        loader.load(model);
        trainer = options.apply(DistributedTrainer.builder(communicator, model, config)).build();
    }

    static SequentialBlock network(final int hidden)
    {
        return new SequentialBlock().add(Linear.builder().setUnits(hidden).build()).add(Activation::relu)
            .add(Linear.builder().setUnits(CLASSES).build());
    }

    static SequentialBlock normalizedNetwork()
    {
        return new SequentialBlock().add(Linear.builder().setUnits(16).build()).add(BatchNorm.builder().build())
            .add(Activation::relu).add(Linear.builder().setUnits(CLASSES).build());
    }

    static DefaultTrainingConfig config()
    {
        return config(0.1f);
    }

    static DefaultTrainingConfig config(final float learningRate)
    {
        final Optimizer optimizer =
            Optimizer.sgd().setLearningRateTracker(Tracker.fixed(learningRate)).optMomentum(0.9f).build();
        return new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss()).optOptimizer(optimizer)
            .optDevices(new Device[] {Device.cpu()});
    }

    static DefaultTrainingConfig config(final TrainingListener... listeners)
    {
        return config().addTrainingListeners(listeners);
    }

    private static float[] floats(final SplittableRandom random, final int count)
    {
        final float[] values = new float[count];
        for (int i = 0; i < count; i++)
        {
            values[i] = (float)random.nextDouble(-0.5, 0.5);
        }
        return values;
    }

    Model model()
    {
        return model;
    }

    Parameter parameter(final Parameter.Type type)
    {
        return model.getBlock().getParameters().values().stream().filter(each -> each.getType() == type).findFirst()
            .orElseThrow();
    }

    DistributedTrainer trainer()
    {
        return trainer;
    }

    void initialize()
    {
        trainer.initialize(new Shape(1, FEATURES));
    }

    NDManager manager()
    {
        return trainer.getManager();
    }

    Dataset dataset(final int batch)
    {
        final SplittableRandom random = new SplittableRandom(DATA_SEED);
        final float[] labels = new float[RECORDS];
        for (int i = 0; i < RECORDS; i++)
        {
            labels[i] = i % CLASSES;
        }
        return new ArrayDataset.Builder()
            .setData(manager().create(floats(random, RECORDS * FEATURES), new Shape(RECORDS, FEATURES)))
            .optLabels(manager().create(labels, new Shape(RECORDS)))
            .setSampling(new ShardSampler(communicator, 5, batch, true)).build();
    }

    /** Makes steps on one pass over the data, with a step of the trainer after each batch. */
    void epoch(final int batch) throws Exception
    {
        for (final Batch records : trainer.iterateDataset(dataset(batch)))
        {
            EasyTrain.trainBatch(trainer, records);
            trainer.step();
            records.close();
        }
    }

    float[] weights()
    {
        float[] all = new float[0];
        for (final Parameter parameter : model.getBlock().getParameters().values())
        {
            final float[] values = parameter.getArray().toFloatArray();
            final float[] joined = Arrays.copyOf(all, all.length + values.length);
            System.arraycopy(values, 0, joined, all.length, values.length);
            all = joined;
        }
        return all;
    }

    @Override
    public void close()
    {
        trainer.close();
        model.close();
    }
}
