/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.api.java.JavaRDD;

/**
 * Linear or logistic regression, trained by L-BFGS. Each rank of a barrier stage keeps the points of one partition, and
 * a chunk of the vectors of L-BFGS. In each iteration, a reduce-scatter sums the gradient, and an allgather distributes
 * the new weights. Runs on the same partitions give the same bits, with {@code TUTTI_REPRODUCIBLE=1} on any hosts.
 * Setters return this. For one thread at a time.
 */
public final class Regression
{
    private final PointLoss loss;
    private double regularization;
    private double tolerance = 1e-6;
    private int maxIterations = 100;
    private int history = 10;

    private Regression(final PointLoss loss)
    {
        this.loss = loss;
    }

    /**
     * Creates a regression that minimizes the mean of half the squared errors.
     *
     * @return a new regression.
     */
    public static Regression linear()
    {
        return new Regression(PointLoss.SQUARED);
    }

    /**
     * Creates a regression that maximizes the likelihood of labels that are 0 or 1.
     *
     * @return a new regression.
     */
    public static Regression logistic()
    {
        return new Regression(PointLoss.LOGISTIC);
    }

    /**
     * Sets the regularization: half the sum of the squared weights is added to the mean loss, times this factor.
     *
     * @param value factor, at least 0, the default; finite.
     * @return this.
     * @throws IllegalArgumentException if it is negative, infinite or NaN.
     */
    public Regression regularization(final double value)
    {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY))
        {
            throw new IllegalArgumentException("regularization must be finite and at least 0: " + value);
        }
        regularization = value;
        return this;
    }

    /**
     * Sets when to stop: when the norm of the gradient, divided by the norm of the weights or by 1 if that is greater,
     * is at most this tolerance.
     *
     * @param value tolerance, at least 0; by default 1e-6.
     * @return this.
     * @throws IllegalArgumentException if it is negative or NaN.
     */
    public Regression tolerance(final double value)
    {
        if (!(value >= 0))
        {
            throw new IllegalArgumentException("tolerance must be at least 0: " + value);
        }
        tolerance = value;
        return this;
    }

    /**
     * Sets the maximum number of iterations.
     *
     * @param value number of iterations, at least 1; by default 100.
     * @return this.
     * @throws IllegalArgumentException if it is less than 1.
     */
    public Regression maxIterations(final int value)
    {
        maxIterations = atLeastOne("maxIterations", value);
        return this;
    }

    /**
     * Sets the number of past iterations by which the curvature is approximated. Each takes 16 bytes per feature,
     * divided among the ranks.
     *
     * @param value number of iterations, at least 1; by default 10.
     * @return this.
     * @throws IllegalArgumentException if it is less than 1.
     */
    public Regression history(final int value)
    {
        history = atLeastOne("history", value);
        return this;
    }

    private static int atLeastOne(final String name, final int value)
    {
        if (value < 1)
        {
            throw new IllegalArgumentException(name + " must be at least 1: " + value);
        }
        return value;
    }

    /**
     * Trains by collectives. If a task fails, Spark starts the training again.
     *
     * @param data points, in at most as many partitions as tasks can run at once.
     * @return the model.
     * @throws IllegalArgumentException if there are more partitions than slots for tasks, or no points, or these have
     *                                  different numbers of features, invalid labels, or values so large that the loss
     *                                  is infinite; the message names the ranks.
     */
    public RegressionModel fit(final JavaRDD<LabeledPoint> data)
    {
        return Training.onRanks(data, loss, loop());
    }

    /**
     * Trains by Spark's {@code treeAggregate}, for comparison: the same up to rounding.
     *
     * @param data points, which should be cached.
     * @return the model.
     * @throws IllegalArgumentException if the model cannot be trained on the points, as in {@link #fit}.
     */
    public RegressionModel fitByTreeAggregate(final JavaRDD<LabeledPoint> data)
    {
        return Training.onDriver(data, loss, loop());
    }

    TrainingLoop<RegressionModel> loop()
    {
        // The lambda must not refer to this, which is not serializable.
        final PointLoss kernel = loss;
        final double factor = regularization;
        final int updates = history;
        final int iterations = maxIterations;
        final double stop = tolerance;
        return (vectors, features, points) ->
        {
            final RegressionObjective objective = new RegressionObjective(vectors, features, points, factor);
            final Minimum minimum = new Lbfgs(updates, iterations, stop).minimize(objective);
            return new RegressionModel(kernel, objective.parameters(features + 1), minimum);
        };
    }
}
