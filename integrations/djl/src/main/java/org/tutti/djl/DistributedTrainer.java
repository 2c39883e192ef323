/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A trainer whose steps use the gradients of all ranks: each rank trains the same model on other data, and after each
 * step all have bitwise equal weights. It is used as DJL's {@link Trainer}, also by {@link ai.djl.training.EasyTrain}.
 * All ranks make the same calls of {@link #initialize}, {@link #step}, {@link #average} and {@link #inStep}, and end
 * epochs together.
 * <p>
 * <b>Initialization.</b> {@link #initialize} checks that all ranks have the same parameters, and copies those of rank 0
 * to all ranks.
 * <p>
 * <b>Steps.</b> Gradients are packed into buckets of registered memory, those of the last parameters first. While a
 * bucket is packed, buckets before it are reduced, and copied back while they are in the cache. DJL has no hooks in the
 * backward pass, so communication does not overlap with it, as it does in PyTorch's DistributedDataParallel. A gradient
 * or loss that is not finite, or a gradient that is missing on some rank, makes the step throw the same {@link
 * DistributedTrainingException} on all ranks, before weights change; the check costs a pass over the reduced gradients,
 * and no message.
 * <p>
 * <b>Epochs.</b> At the end of an epoch ({@code onEpoch} of the listeners), running means and variances of batch
 * normalization are averaged over the ranks; within an epoch each rank has its own. Also averaged are the results of
 * DJL's {@link ai.djl.training.listener.EvaluatorTrainingListener}, which {@link #getTrainingResult} returns, and those
 * in {@link #getMetrics} for the epoch. The averages give all ranks the same weight, as {@link ShardSampler} does. Then
 * all ranks compare hashes of the trained parameters: if some differ, all throw a {@link DistributedTrainingException}.
 * <p>
 * Parameters must be FLOAT32 in host memory. Not thread-safe; ranks may be threads of a process, whose backward passes
 * take turns then, because the engine runs one at a time.
 */
public final class DistributedTrainer extends Trainer
{
    private final Communicator communicator;
    private final Builder options;
    private ModelParameters parameters;
    private List<TrainedParameter> trained = List.of();
    private GradientExchange exchange;
    private Float badLoss;
    private int accumulated;
    private long exchangeNs;

    private DistributedTrainer(final Builder options)
    {
        super(prepared(options.model, options.config), new EpochEnd(options.config));
        communicator = options.communicator;
        this.options = options;
    }

    /** Gives the model the configuration's initializers, and unfreezes a loaded one, as every trainer does. */
    private static Model prepared(final Model model, final TrainingConfig config)
    {
        model.newTrainer(EpochEnd.withoutListeners(config)).close();
        return model;
    }

    /**
     * Starts the configuration of a trainer.
     *
     * @param communicator ranks that train together; stays owned by the caller, who closes the trainer first.
     * @param model        model with the block to train, which all ranks build alike.
     * @param config       configuration with one device, the same on all ranks.
     * @return a builder with default options.
     */
    public static Builder builder(final Communicator communicator, final Model model, final TrainingConfig config)
    {
        return new Builder(communicator, model, config);
    }

    /**
     * Initializes the parameters, checks that all ranks have the same, and copies the values of rank 0 to all ranks.
     * Collective. A model that was loaded must be initialized, too.
     *
     * @param shapes shapes of the inputs.
     * @throws DistributedTrainingException on all ranks, if parameters or options differ between ranks, or a parameter
     *                                      is not supported.
     */
    @Override
    public void initialize(final Shape... shapes)
    {
        RuntimeException failure = null;
        try
        {
            super.initialize(shapes);
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
        }
        RankTexts.requireNone(communicator, "cannot initialize the model",
            failure == null ? "" : RankTexts.describe(failure), "no rank can train", failure);
        final ModelParameters all = new ModelParameters(communicator, getModel().getBlock());
        final Engine engine = getManager().getEngine();
        all.requireSame(options.describe() + " engine=" + engine.getEngineName() + "-" + engine.getVersion());
        all.broadcast();
        release();
        parameters = all;
        trained = all.trained();
        exchange = new GradientExchange(trained, communicator, options);
    }

    @Override
    public GradientCollector newGradientCollector()
    {
        return new LossGuard(super::newGradientCollector, loss -> badLoss = loss);
    }

    /**
     * Reduces the gradients over all ranks and updates the parameters; with gradient accumulation, in each n-th call
     * only. Collective.
     *
     * @throws DistributedTrainingException              on all ranks, if a loss or a gradient of a rank is not finite,
     *                                                   or a rank lacks a gradient. Parameters are unchanged then,
     *                                                   and gradients are zero, so that training can continue.
     * @throws org.tutti.collectives.CollectiveException if a rank failed.
     * @throws IllegalStateException                     if {@link #initialize} was not called.
     */
    @Override
    public void step()
    {
        parameters();
        if (++accumulated < options.accumulation)
        {
            return;
        }
        accumulated = 0;
        final long startNs = System.nanoTime();
        exchange();
        exchangeNs += System.nanoTime() - startNs;
        addMetric("allreduce", startNs);
        super.step();
    }

    private void exchange()
    {
        final float scale = options.average ? 1f / options.accumulation : 1;
        final Float loss = badLoss;
        badLoss = null;
        if (!exchange.run(scale, loss != null))
        {
            final DistributedTrainingException problem =
                GradientProblems.find(communicator, trained, loss, exchange.notFinite(), options.wireType);
            trained.forEach(TrainedParameter::clearGradient);
            throw problem;
        }
        if (options.clipNorm > 0)
        {
            clip();
        }
    }

    private void clip()
    {
        final double norm = Math.sqrt(trained.stream().mapToDouble(TrainedParameter::sumOfSquares).sum());
        if (norm > options.clipNorm)
        {
            final float factor = (float)(options.clipNorm / norm);
            trained.forEach(parameter -> parameter.scaleGradient(factor));
        }
    }

    /**
     * Averages values over the ranks, for metrics. Collective.
     *
     * @param values values of this rank, which become the averages; as many on all ranks.
     */
    public void average(final double... values)
    {
        communicator.allreduce(values, ReduceOp.AVG);
    }

    /**
     * Checks whether the parameters of all ranks, running statistics included, are bitwise equal. Running statistics
     * differ within an epoch. Collective.
     *
     * @return true if they are equal; the same on all ranks.
     */
    public boolean inStep()
    {
        final long[] smallest = {fingerprint()};
        final long[] largest = smallest.clone();
        communicator.allreduce(smallest, ReduceOp.MIN);
        communicator.allreduce(largest, ReduceOp.MAX);
        return smallest[0] == largest[0];
    }

    /**
     * Hashes all bits of this rank's parameters, to compare them with those of another run.
     *
     * @return hash, the same for bitwise equal parameters.
     */
    public long fingerprint()
    {
        return parameters().fingerprint();
    }

    private ModelParameters parameters()
    {
        if (parameters == null)
        {
            throw new IllegalStateException(
                "trainer is not initialized: call initialize with the shapes of the inputs");
        }
        return parameters;
    }

    /**
     * Returns the time that steps took to reduce gradients, packing and waiting for other ranks included.
     *
     * @return nanoseconds of all steps so far.
     */
    public long exchangeNs()
    {
        return exchangeNs;
    }

    /** Makes all ranks have the same model, and checks that they do. Collective. */
    void endEpoch()
    {
        parameters().averageStatistics();
        parameters().requireEqualValues();
    }

    private void release()
    {
        final GradientExchange unused = exchange;
        exchange = null;
        trained.forEach(TrainedParameter::close);
        trained = List.of();
        if (unused != null)
        {
            unused.close();
        }
    }

    /** Frees the registered memory, and closes the trainer. */
    @Override
    public void close()
    {
        try
        {
            release();
        }
        finally
        {
            super.close();
        }
    }

    /** Options of a trainer, the same on all ranks. */
    public static final class Builder
    {
        /** Fits the cache of a core, with the gradients that are copied. */
        private static final int MIN_DEFAULT_BUCKET_BYTES = 512 << 10;
        private static final int MAX_DEFAULT_BUCKET_BYTES = 25 << 20;
        /** Long enough for the chunks, one per rank, to fill links. */
        private static final long BUCKET_BYTES_PER_RANK = 64 << 10;

        private final Communicator communicator;
        private final Model model;
        private final TrainingConfig config;
        private int accumulation = 1;
        private boolean average = true;
        private WireType wireType = WireType.FLOAT32;
        private double clipNorm;
        private long bucketBytes;

        private Builder(final Communicator communicator, final Model model, final TrainingConfig config)
        {
            this.communicator = Objects.requireNonNull(communicator, "communicator");
            this.model = Objects.requireNonNull(model, "model");
            this.config = Objects.requireNonNull(config, "config");
            bucketBytes = Math.clamp(
                communicator.size() * BUCKET_BYTES_PER_RANK, MIN_DEFAULT_BUCKET_BYTES, MAX_DEFAULT_BUCKET_BYTES);
        }

        /**
         * Sets the number of backward passes per update: only each n-th {@link DistributedTrainer#step} communicates.
         * An average also divides the gradients by this number. A remainder at the end of an epoch goes into the next
         * update.
         *
         * @param steps number of passes, at least 1; by default 1.
         * @return this builder.
         */
        public Builder accumulate(final int steps)
        {
            require(steps >= 1, "accumulate=" + steps, "at least 1");
            accumulation = steps;
            return this;
        }

        /**
         * Sums gradients over ranks and accumulated passes. By default they are averaged, which fits losses that are
         * means over a batch, as those of DJL are.
         *
         * @return this builder.
         */
        public Builder sum()
        {
            average = false;
            return this;
        }

        /**
         * Sets how gradients travel.
         *
         * @param type type, by default {@link WireType#FLOAT32}.
         * @return this builder.
         */
        public Builder wireType(final WireType type)
        {
            wireType = Objects.requireNonNull(type, "type");
            return this;
        }

        /**
         * Limits the norm of the reduced gradients of all parameters together: larger ones are scaled down to it.
         *
         * @param norm greatest Euclidean norm, finite and greater than 0; by default there is no limit.
         * @return this builder.
         */
        public Builder clipNorm(final double norm)
        {
            require(norm > 0 && Double.isFinite(norm), "clipNorm=" + norm, "finite and greater than 0");
            clipNorm = norm;
            return this;
        }

        /**
         * Sets the size of a bucket, the gradients that one collective reduces. Those of a parameter may be in several
         * buckets. Up to 8 buckets are in progress at once, in as much registered memory.
         *
         * @param bytes maximum bytes of FLOAT32 gradients, at least 4; by default 64 KiB per rank, but at least 512 KiB
         *              and at most 25 MiB.
         * @return this builder.
         */
        public Builder bucketBytes(final long bytes)
        {
            require(bytes >= Float.BYTES, "bucketBytes=" + bytes, "at least 4");
            bucketBytes = bytes;
            return this;
        }

        /**
         * Creates the trainer; {@link DistributedTrainer#initialize} comes next.
         *
         * @return trainer, to be closed by the caller.
         * @throws IllegalArgumentException if the configuration does not have one device.
         */
        public DistributedTrainer build()
        {
            final Device[] devices = config.getDevices();
            require(devices.length == 1 && !devices[0].isGpu(), "devices=" + Arrays.toString(devices),
                "Device.cpu(), one per rank: set it by optDevices, and start more ranks instead");
            return new DistributedTrainer(this);
        }

        WireType wireType()
        {
            return wireType;
        }

        boolean isAverage()
        {
            return average;
        }

        long bucketBytes()
        {
            return bucketBytes;
        }

        String describe()
        {
            return "accumulate=" + accumulation + " reduction=" + (average ? "average" : "sum") + " wireType=" +
                wireType + " clipNorm=" + clipNorm + " bucketBytes=" + bucketBytes;
        }

        private static void require(final boolean condition, final String value, final String range)
        {
            if (!condition)
            {
                throw new IllegalArgumentException(value + ": must be " + range);
            }
        }
    }
}
