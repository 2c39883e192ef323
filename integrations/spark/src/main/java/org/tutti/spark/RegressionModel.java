/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A trained regression. Immutable. */
public final class RegressionModel implements Serializable
{
    private static final long serialVersionUID = 1L;

    private final PointLoss kernel;
    /** Weights of the features, then the intercept. */
    private final double[] parameters;
    private final double loss;
    private final int iterations;
    private final long iterationsNs;
    private final boolean isConverged;

    RegressionModel(final PointLoss kernel, final double[] parameters, final Minimum minimum)
    {
        this.kernel = kernel;
        this.parameters = parameters;
        loss = minimum.value();
        iterations = minimum.iterations();
        iterationsNs = minimum.ns();
        isConverged = minimum.isConverged();
    }

    /**
     * Returns the weights.
     *
     * @return a new array with the weight of each feature.
     */
    public double[] weights()
    {
        return Arrays.copyOf(parameters, parameters.length - 1);
    }

    /**
     * Returns the intercept.
     *
     * @return prediction of the linear model where all features are 0.
     */
    public double intercept()
    {
        return parameters[parameters.length - 1];
    }

    /**
     * Returns the loss.
     *
     * @return mean loss of the training data, with regularization.
     */
    public double loss()
    {
        return loss;
    }

    /**
     * Returns the number of iterations.
     *
     * @return number of iterations of L-BFGS.
     */
    public int iterations()
    {
        return iterations;
    }

    /**
     * Returns whether the training has reached its tolerance.
     *
     * @return false if it ended before: at the maximum number of iterations, or when rounding hid any further decrease
     *         of the loss.
     */
    public boolean converged()
    {
        return isConverged;
    }

    /**
     * Predicts the label of a point.
     *
     * @param point point with as many features as those of the training.
     * @return predicted label; in logistic regression the probability that it is 1.
     * @throws IllegalArgumentException if the number of features differs.
     */
    public double predict(final LabeledPoint point)
    {
        if (point.features() != parameters.length - 1)
        {
            throw new IllegalArgumentException("feature counts of point and model differ: " + point.features() +
                " != " + (parameters.length - 1));
        }
        final double margin = point.dot(MemorySegment.ofArray(parameters), 0) + intercept();
        return kernel == PointLoss.LOGISTIC ? PointLoss.probability(margin) : margin;
    }

    /** Returns the mean time of an iteration in nanoseconds. */
    long iterationNs()
    {
        return iterationsNs / Math.max(1, iterations);
    }
}
