/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.lightgbm;

import com.microsoft.ml.lightgbm.PredictionType;
import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;
import io.github.metarank.lightgbm4j.LGBMException;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;
import org.tutti.lightgbm.LightGbmNetwork;
import org.tutti.lightgbm.TuttiLightGbm;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;

/** Trains over Tutti, and if asked for over LightGBM's sockets, too; reports times and the quality of the model. */
final class BoostingComparison
{
    private static final int HELD_OUT = 20_000;

    private final Communicator world;
    private final GeneratedTable table;
    private final int rows;
    private final int iterations;
    private final String ownParameters;
    private final float[] features;
    private final float[] labels;

    /** Result of a training on this rank. */
    private record Trained(String model, double seconds, double exchangeShare)
    {
    }

    /**
     * Creates the training of one rank.
     *
     * @param world      ranks.
     * @param table      data.
     * @param rows       number of rows of all ranks.
     * @param iterations number of trees.
     * @param parameters LightGBM's parameters.
     */
    BoostingComparison(final Communicator world, final GeneratedTable table, final int rows, final int iterations,
        final String parameters)
    {
        this.world = world;
        this.table = table;
        this.rows = rows;
        this.iterations = iterations;
        ownParameters = parameters;
        final int share = (rows - world.rank() + world.size() - 1) / world.size();
        features = new float[share * table.columns()];
        labels = new float[share];
        table.fill(world.rank(), world.size(), features, labels);
    }

    /**
     * Trains and reports.
     *
     * @param rounds  number of trainings over each network.
     * @param sockets whether to train over LightGBM's sockets, too.
     * @param target  least area under the ROC curve.
     * @return exit code of the rank.
     */
    int run(final int rounds, final boolean sockets, final double target) throws LGBMException, IOException
    {
        report("%,d rows of %d columns, %,d held out; %d trees; %d ranks over %s%n%s%n%nround  network      seconds  " +
            "ms/tree  in exchange%n", rows, table.columns(), HELD_OUT, iterations, world.size(), world.transport(),
            ownParameters);
        final double[] seconds = new double[rounds];
        final double[] socketSeconds = new double[rounds];
        Trained trained = null;
        boolean same = true;
        for (int round = 0; round < rounds; round++)
        {
            trained = overTutti();
            seconds[round] = trained.seconds();
            report("%5d  Tutti       %8.2f  %7.1f  %9.1f %%%n", round + 1, trained.seconds(),
                1e3 * trained.seconds() / iterations, 100 * trained.exchangeShare());
            if (sockets)
            {
                final Trained other = overSockets();
                socketSeconds[round] = other.seconds();
                same &= trained.model().equals(other.model());
                report("%5d  sockets     %8.2f  %7.1f%n", round + 1, other.seconds(),
                    1e3 * other.seconds() / iterations);
            }
        }
        if (sockets)
        {
            report("median: Tutti %.2f s, sockets %.2f s%n", median(seconds), median(socketSeconds));
            report(isTrueOnAll(same) ?
                "the trees of both networks are equal%n" : "THE TREES OF BOTH NETWORKS DIFFER%n");
        }
        return evaluate(trained, target) && isTrueOnAll(same) ? 0 : 1;
    }

    private Trained overTutti() throws LGBMException
    {
        try (LightGbmNetwork network = TuttiLightGbm.network(world))
        {
            final String parameters = network.parameters(ownParameters);
            try (LGBMDataset dataset = network.call(() -> dataset(parameters));
                LGBMBooster booster = network.call(() -> LGBMBooster.create(dataset, parameters)))
            {
                world.barrier();
                final long exchangeNs = network.exchangeNs();
                final long startNs = System.nanoTime();
                boolean isFinished = false;
                for (int i = 0; i < iterations && !isFinished; i++)
                {
                    isFinished = network.call(booster::updateOneIter);
                }
                final double elapsedNs = System.nanoTime() - startNs;
                return new Trained(
                    trees(booster), elapsedNs / 1e9, (network.exchangeNs() - exchangeNs) / elapsedNs);
            }
        }
    }

    private Trained overSockets() throws LGBMException, IOException
    {
        final String parameters = ownParameters + " num_machines=" + world.size() + " pre_partition=true";
        final SocketNetwork network = SocketNetwork.open(world);
        try (network;
            LGBMDataset dataset = dataset(parameters);
            LGBMBooster booster = LGBMBooster.create(dataset, parameters))
        {
            world.barrier();
            final long startNs = System.nanoTime();
            boolean isFinished = false;
            for (int i = 0; i < iterations && !isFinished; i++)
            {
                isFinished = booster.updateOneIter();
            }
            final double elapsedNs = System.nanoTime() - startNs;
            // Connections that are closed early make the updates of other ranks fail.
            world.barrier();
            return new Trained(trees(booster), elapsedNs / 1e9, 0);
        }
    }

    private LGBMDataset dataset(final String parameters) throws LGBMException
    {
        final LGBMDataset dataset =
            LGBMDataset.createFromMat(features, labels.length, table.columns(), true, parameters, null);
        dataset.setField("label", labels);
        return dataset;
    }

    /** Returns the model without the parameters that it ends with. */
    private static String trees(final LGBMBooster booster) throws LGBMException
    {
        final String model = booster.saveModelToString(0, -1, LGBMBooster.FeatureImportanceType.GAIN);
        return model.substring(0, model.indexOf("\nparameters:"));
    }

    private boolean evaluate(final Trained trained, final double target) throws LGBMException
    {
        final int[] hash = {trained.model().hashCode(), -trained.model().hashCode()};
        world.allreduce(hash, ReduceOp.MAX);
        final boolean isSame = hash[0] == -hash[1];
        report(isSame ? "all ranks have the same trees%n" : "THE TREES DIFFER BETWEEN RANKS%n");
        final float[] inputs = new float[HELD_OUT * table.columns()];
        final float[] expected = new float[HELD_OUT];
        table.fill(rows, 1, inputs, expected);
        try (LGBMBooster booster = LGBMBooster.loadModelFromString(trained.model()))
        {
            final double[] probabilities = booster.predictForMat(
                inputs, HELD_OUT, table.columns(), true, PredictionType.C_API_PREDICT_NORMAL);
            final double area = area(probabilities, expected);
            report("held out: log loss %.5f, AUC %.5f%n", loss(probabilities, expected), area);
            if (area < target)
            {
                report("AUC %.5f is below --target=%.5f: try more --iterations%n", area, target);
            }
            return isSame && area >= target;
        }
    }

    private static double loss(final double[] probabilities, final float[] labels)
    {
        double sum = 0;
        for (int i = 0; i < labels.length; i++)
        {
            sum -= Math.log(labels[i] > 0 ? probabilities[i] : 1 - probabilities[i]);
        }
        return sum / labels.length;
    }

    /** Returns the area under the ROC curve: the share of pairs of both labels that are in the right order. */
    private static double area(final double[] probabilities, final float[] labels)
    {
        final Integer[] order = new Integer[labels.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Double.compare(probabilities[a], probabilities[b]));
        long negatives = 0;
        long pairs = 0;
        for (final int i : order)
        {
            negatives += labels[i] > 0 ? 0 : 1;
            pairs += labels[i] > 0 ? negatives : 0;
        }
        return (double)pairs / negatives / (labels.length - negatives);
    }

    private static double median(final double[] values)
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private boolean isTrueOnAll(final boolean value)
    {
        final int[] all = {value ? 1 : 0};
        world.allreduce(all, ReduceOp.MIN);
        return all[0] == 1;
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
