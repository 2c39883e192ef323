/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import org.tutti.collectives.Communicator;
import org.tutti.launcher.JobCommand;
import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongConsumer;

/** Trains a small network to recognize digits on all ranks together, and reports its progress. */
@Command(name = "mnist", mixinStandardHelpOptions = true,
    description = "Trains a network on handwritten digits, data-parallel.")
public final class MnistJob implements JobCommand
{
    private static final int MAX_HIDDEN = 8_192;
    /** Exit code of a rank if rank 0 reports invalid data. */
    private static final int USAGE = 2;

    private record Data(Digits training, Digits heldOut)
    {
    }

    @Spec
    private CommandSpec spec;

    private int epochs;
    private int batch;
    private float learningRate;
    private int hidden;
    private double target;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of the weights and of the order of the images (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--data", paramLabel = "DIR",
        description = "Directory of the four files of MNIST in the IDX format, gzipped or not " +
            "(default: 10,000 of its digits, bundled with Tutti).")
    private Path data;

    @Mixin
    private CheckpointOptions checkpoints;

    private final LongConsumer afterStep;

    /** Required by {@link java.util.ServiceLoader}. */
    public MnistJob()
    {
        this(steps -> {});
    }

    /**
     * Creates a job for tests.
     *
     * @param afterStep called after each step, and its checkpoint, with the number of steps done.
     */
    MnistJob(final LongConsumer afterStep)
    {
        this.afterStep = afterStep;
    }

    @Option(names = "--epochs", paramLabel = "N", defaultValue = "10",
        description = "Number of passes over all images (default: ${DEFAULT-VALUE}).")
    void epochs(final int value)
    {
        require(value >= 1, "--epochs=" + value, "must be at least 1");
        epochs = value;
    }

    @Option(names = "--batch", paramLabel = "N", defaultValue = "64",
        description = "Images per step over all ranks (default: ${DEFAULT-VALUE}).")
    void batch(final int value)
    {
        require(value >= 1, "--batch=" + value, "must be at least 1");
        batch = value;
    }

    @Option(names = "--learning-rate", paramLabel = "X", defaultValue = "0.1",
        description = "Learning rate (default: ${DEFAULT-VALUE}).")
    void learningRate(final float value)
    {
        require(value > 0 && value <= 10, "--learning-rate=" + value, "must be greater than 0 and at most 10");
        learningRate = value;
    }

    @Option(names = "--hidden", paramLabel = "N", defaultValue = "128",
        description = "Units of the hidden layer (default: ${DEFAULT-VALUE}).")
    void hidden(final int value)
    {
        require(value >= 1 && value <= MAX_HIDDEN, "--hidden=" + value, "must be from 1 to " + MAX_HIDDEN);
        hidden = value;
    }

    @Option(names = "--target", paramLabel = "PERCENT", defaultValue = "0",
        description = "Minimum accuracy on the held-out images; below it, the job fails (default: ${DEFAULT-VALUE}).")
    void target(final double value)
    {
        require(value >= 0 && value <= 100, "--target=" + value, "must be from 0 to 100");
        target = value;
    }

    @Override
    public void check(final int size)
    {
        load();
    }

    @Override
    public Integer call()
    {
        final Data digits = load();
        try (Communicator world = Communicator.world())
        {
            return train(world, digits.training(), digits.heldOut());
        }
    }

    private Data load()
    {
        checkpoints.check(spec);
        try
        {
            final Data digits = new Data(Digits.training(data), Digits.heldOut(data));
            require(batch <= digits.training().count(), "--batch=" + batch,
                "must be at most " + digits.training().count() + ", the number of images");
            return digits;
        }
        catch (final DataException e)
        {
            throw new ParameterException(spec.commandLine(), "--data: " + e.getMessage(), e);
        }
    }

    private int train(final Communicator world, final Digits training, final Digits heldOut)
    {
        final boolean first = world.rank() == 0;
        final Network network = new Network(hidden, Math.ceilDiv(batch, world.size()));
        if (first)
        {
            network.initialise(seed);
            System.out.printf(Locale.ROOT,
                "%,d training images, %,d held out; %d-%d-%d network of %,d parameters;" +
                " %d ranks over %s, %d images per step%n",
                training.count(), heldOut.count(), Digits.PIXELS, hidden, Digits.CLASSES,
                Rows.count(network.parameters()), world.size(), world.transport(), batch);
            System.out.println("epoch      loss  accuracy   images/s  in allreduce");
        }

        try (Trainer trainer = new Trainer(world, network, batch, learningRate, seed))
        {
            if (!resume(world, trainer, training))
            {
                return USAGE;
            }
            final int done = (int)(trainer.steps() / trainer.stepsPerEpoch(training));
            double accuracy = done < epochs ? 0 : 100 * trainer.accuracy(heldOut);
            for (int epoch = done + 1; epoch <= epochs; epoch++)
            {
                final EpochReport report = trainer.epoch(epoch, training, heldOut);
                accuracy = 100 * report.accuracy();
                if (first)
                {
                    System.out.printf(Locale.ROOT, "%5d  %8.5f  %6.2f %%  %9.0f  %10.1f %%%n", epoch, report.loss(),
                        accuracy, report.imagesPerSecond(), 100 * report.allreduceShare());
                }
            }
            return verdict(first, trainer.inStep(), accuracy);
        }
    }

    /** Continues from the checkpoint, if there is one; returns false if rank 0 reports that it is invalid. */
    private boolean resume(final Communicator world, final Trainer trainer, final Digits training)
    {
        trainer.afterStep(afterStep);
        if (checkpoints.file() == null)
        {
            return true;
        }
        final int stepsPerEpoch = trainer.stepsPerEpoch(training);
        final Checkpoints saved = new Checkpoints(
            world,
            trainer,
            new CheckpointFile(checkpoints.file(),
                new CheckpointFile.Settings(seed, batch, learningRate, training.count())),
            checkpoints.every(stepsPerEpoch),
            (long)epochs * stepsPerEpoch);
        trainer.afterStep(steps ->
        {
            saved.afterStep(steps);
            afterStep.accept(steps);
        });
        try
        {
            final boolean isValid = saved.resume();
            if (world.rank() == 0 && trainer.steps() > 0)
            {
                System.out.printf(Locale.ROOT, "continuing after step %,d, %.2f epochs, from %s%n", trainer.steps(),
                    (double)trainer.steps() / stepsPerEpoch, checkpoints.file());
            }
            return isValid;
        }
        catch (final DataException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private int verdict(final boolean first, final boolean inStep, final double accuracy)
    {
        if (first)
        {
            System.out.println(inStep ?
                "the weights of all ranks are bitwise equal" :
                "THE WEIGHTS DIFFER BETWEEN RANKS: an allreduce returned different results");
            if (accuracy < target)
            {
                System.out.printf(Locale.ROOT, "accuracy %.2f %% is below --target=%.2f %%: try more --epochs%n",
                    accuracy, target);
            }
        }
        return inStep && accuracy >= target ? 0 : 1;
    }

    private void require(final boolean condition, final String value, final String range)
    {
        OptionRules.require(spec, condition, value, range);
    }
}
