/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import org.tutti.collectives.Communicator;
import org.tutti.examples.MavenLibraries;
import org.tutti.launcher.JobCommand;
import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.nio.file.Path;

/**
 * Trains a convolutional network on the digits with DJL and PyTorch. This class uses no class of DJL: the launcher and
 * the ranks of other jobs have none.
 */
@Command(name = "djl-mnist", mixinStandardHelpOptions = true,
    description = "Trains a network on handwritten digits with DJL and PyTorch, data-parallel.")
public final class DjlMnistJob implements JobCommand
{
    private static final int MAX_THREADS = 1_024;
    private static final MavenLibraries LIBRARIES = new MavenLibraries(
        "djl-mnist", "DJL and PyTorch (120 MB)", "djl", "ai.djl.pytorch.engine.PtEngineProvider");

    @Spec
    private CommandSpec spec;

    private int epochs;
    private int batch;
    private float learningRate;
    private int threads;
    private double target;
    private int rounds;

    @Option(names = "--wire", paramLabel = "TYPE", defaultValue = "FLOAT32",
        description = "Type in which gradients travel: FLOAT32, BFLOAT16 or FLOAT16 (default: ${DEFAULT-VALUE}).")
    private String wire;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of the weights and of the order of the images (default: ${DEFAULT-VALUE}).")
    private int seed;

    @Option(names = "--data", paramLabel = "DIR",
        description = "Directory of the four files of MNIST in the IDX format, gzipped or not " +
            "(default: 10,000 of its digits, bundled with Tutti).")
    private Path data;

    /** Required by {@link java.util.ServiceLoader}. */
    public DjlMnistJob()
    {
    }

    @Option(names = "--epochs", paramLabel = "N", defaultValue = "10",
        description = "Number of passes over all images (default: ${DEFAULT-VALUE}).")
    void epochs(final int value)
    {
        require(value >= 1, "--epochs=" + value, "must be at least 1");
        epochs = value;
    }

    @Option(names = "--batch", paramLabel = "N", defaultValue = "64",
        description = "Images per step and rank (default: ${DEFAULT-VALUE}).")
    void batch(final int value)
    {
        require(value >= 1, "--batch=" + value, "must be at least 1");
        batch = value;
    }

    @Option(names = "--learning-rate", paramLabel = "X", defaultValue = "0.02",
        description = "Learning rate of the first step; it falls to a hundredth (default: ${DEFAULT-VALUE}).")
    void learningRate(final float value)
    {
        require(value > 0 && value <= 10, "--learning-rate=" + value, "must be greater than 0 and at most 10");
        learningRate = value;
    }

    @Option(names = "--threads", paramLabel = "N", defaultValue = "1",
        description = "PyTorch's threads per rank (default: ${DEFAULT-VALUE}).")
    void threads(final int value)
    {
        require(value >= 1 && value <= MAX_THREADS, "--threads=" + value, "must be from 1 to " + MAX_THREADS);
        threads = value;
    }

    @Option(names = "--target", paramLabel = "PERCENT", defaultValue = "0",
        description = "Minimum accuracy on the held-out images; below it, the job fails (default: ${DEFAULT-VALUE}).")
    void target(final double value)
    {
        require(value >= 0 && value <= 100, "--target=" + value, "must be from 0 to 100");
        target = value;
    }

    @Option(names = "--scaling", paramLabel = "ROUNDS", defaultValue = "0",
        description = "Instead, compares the speed of a network of 5.8 million parameters with that of as many " +
            "independent trainings, in so many rounds (default: ${DEFAULT-VALUE}).")
    void rounds(final int value)
    {
        require(value >= 0, "--scaling=" + value, "must be at least 0");
        rounds = value;
    }

    @Override
    public String classPath()
    {
        return LIBRARIES.classPath();
    }

    @Override
    public void check(final int size)
    {
        require("FLOAT32".equals(wire) || "BFLOAT16".equals(wire) || "FLOAT16".equals(wire), "--wire=" + wire,
            "must be FLOAT32, BFLOAT16 or FLOAT16");
        final long most = load(true).count() / size;
        require(batch <= most, "--batch=" + batch, "must be at most " + most + ", the images of a rank");
    }

    @Override
    public Integer call() throws Exception
    {
        if (!LIBRARIES.arePresent())
        {
            throw new IllegalStateException(
                "DJL is not on the class path: start the ranks by 'tutti run', or add its jars");
        }
        setUnlessGiven("ai.djl.offline", "true");
        setUnlessGiven("ai.djl.pytorch.num_threads", Integer.toString(threads));
        setUnlessGiven("ai.djl.pytorch.num_interop_threads", "1");
        final Digits training = load(true);
        final Digits heldOut = load(false);
        try (Communicator world = Communicator.world())
        {
            check(world.size());
            if (rounds > 0)
            {
                DjlScaling.run(world, training, rounds, wire);
                return 0;
            }
            return new DjlTraining(world, wire, batch, learningRate, seed).run(training, heldOut, epochs, target);
        }
    }

    private static void setUnlessGiven(final String property, final String value)
    {
        if (System.getProperty(property) == null)
        {
            System.setProperty(property, value);
        }
    }

    private Digits load(final boolean training)
    {
        try
        {
            return training ? Digits.training(data) : Digits.heldOut(data);
        }
        catch (final DataException e)
        {
            throw new ParameterException(spec.commandLine(), "--data: " + e.getMessage(), e);
        }
    }

    private void require(final boolean condition, final String value, final String range)
    {
        OptionRules.require(spec, condition, value, range);
    }
}
