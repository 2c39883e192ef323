/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.lightgbm;

import org.tutti.collectives.Communicator;
import org.tutti.examples.MavenLibraries;
import org.tutti.launcher.JobCommand;
import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Trains gradient-boosted trees on generated data with LightGBM. This class uses no class of LightGBM: the launcher and
 * the ranks of other jobs have none.
 */
@Command(name = "lightgbm", mixinStandardHelpOptions = true,
    description = "Trains gradient-boosted trees on generated data with LightGBM.")
public final class LightgbmJob implements JobCommand
{
    private static final int MAX_ROWS = 100_000_000;
    private static final int MAX_COLUMNS = 2_000;
    private static final int MAX_THREADS = 1_024;
    private static final long MAX_VALUES = 1L << 30;
    private static final MavenLibraries LIBRARIES = new MavenLibraries(
        "lightgbm", "LightGBM (10 MB)", "lightgbm", "io.github.metarank.lightgbm4j.LGBMBooster");

    @Spec
    private CommandSpec spec;

    private int rows;
    private int columns;
    private int iterations;
    private int leaves;
    private int threads;
    private int rounds;
    private double target;

    @Option(names = "--learner", paramLabel = "NAME", defaultValue = "data",
        description = "Algorithm: data reduces the histograms of all columns, voting those of columns that ranks " +
            "vote for (default: ${DEFAULT-VALUE}).")
    private String learner;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of the data (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--sockets",
        description = "Also trains over LightGBM's own network of sockets, and compares trees and times. The ranks " +
            "must be on one host.")
    private boolean sockets;

    /** Required by {@link java.util.ServiceLoader}. */
    public LightgbmJob()
    {
    }

    @Option(names = "--rows", paramLabel = "N", defaultValue = "200000",
        description = "Rows to train on, of all ranks together (default: ${DEFAULT-VALUE}).")
    void rows(final int value)
    {
        require(value >= 1_000 && value <= MAX_ROWS, "--rows=" + value, "must be from 1000 to " + MAX_ROWS);
        rows = value;
    }

    @Option(names = "--columns", paramLabel = "N", defaultValue = "50",
        description = "Number of features (default: ${DEFAULT-VALUE}).")
    void columns(final int value)
    {
        require(value >= 4 && value <= MAX_COLUMNS, "--columns=" + value, "must be from 4 to " + MAX_COLUMNS);
        columns = value;
    }

    @Option(names = "--iterations", paramLabel = "N", defaultValue = "50",
        description = "Number of trees (default: ${DEFAULT-VALUE}).")
    void iterations(final int value)
    {
        require(value >= 1, "--iterations=" + value, "must be at least 1");
        iterations = value;
    }

    @Option(names = "--leaves", paramLabel = "N", defaultValue = "63",
        description = "Greatest number of leaves of a tree (default: ${DEFAULT-VALUE}).")
    void leaves(final int value)
    {
        require(value >= 2 && value <= 131_072, "--leaves=" + value, "must be from 2 to 131072");
        leaves = value;
    }

    @Option(names = "--threads", paramLabel = "N", defaultValue = "1",
        description = "LightGBM's threads per rank (default: ${DEFAULT-VALUE}).")
    void threads(final int value)
    {
        require(value >= 1 && value <= MAX_THREADS, "--threads=" + value, "must be from 1 to " + MAX_THREADS);
        threads = value;
    }

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "1",
        description = "Number of trainings over each network, which alternate (default: ${DEFAULT-VALUE}).")
    void rounds(final int value)
    {
        require(value >= 1, "--rounds=" + value, "must be at least 1");
        rounds = value;
    }

    @Option(names = "--target", paramLabel = "AUC", defaultValue = "0",
        description = "Least area under the ROC curve on held-out rows; below it, the job fails " +
            "(default: ${DEFAULT-VALUE}).")
    void target(final double value)
    {
        require(value >= 0 && value <= 1, "--target=" + value, "must be from 0 to 1");
        target = value;
    }

    @Override
    public String classPath()
    {
        return LIBRARIES.classPath();
    }

    @Override
    public void check(final int size)
    {
        require("data".equals(learner) || "voting".equals(learner), "--learner=" + learner, "must be data or voting");
        require(rows / size >= 100, "--rows=" + rows, "must be at least " + 100L * size + ", 100 per rank");
        final long most = MAX_VALUES / columns * size;
        require(rows <= most, "--rows=" + rows, "must be at most " + most + " with --columns=" + columns + ": a rank " +
            "holds up to " + MAX_VALUES + " values");
        require(size > 1 || !sockets, "--sockets", "needs at least 2 ranks: set -np");
    }

    @Override
    public Integer call() throws Exception
    {
        if (!LIBRARIES.arePresent())
        {
            throw new IllegalStateException(
                "LightGBM is not on the class path: start the ranks by 'tutti run', or add its jar");
        }
        try (Communicator world = Communicator.world())
        {
            check(world.size());
            final String parameters = "objective=binary num_leaves=" + leaves + " num_threads=" + threads +
                " tree_learner=" + learner + " deterministic=true force_col_wise=true verbosity=-1";
            return new BoostingComparison(world, new GeneratedTable(seed, columns), rows, iterations, parameters)
                .run(rounds, sockets, target);
        }
    }

    private void require(final boolean condition, final String value, final String range)
    {
        OptionRules.require(spec, condition, value, range);
    }
}
