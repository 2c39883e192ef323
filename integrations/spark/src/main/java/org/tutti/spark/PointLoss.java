/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

/**
 * Losses of linear models. The parameters are the weights of the features and the intercept; the sums are the gradient
 * in the same order, then the loss.
 */
enum PointLoss implements PointKernel
{
    /** Half the squared error; labels are finite. */
    SQUARED
    {
        @Override
        double loss(final double margin, final double label)
        {
            if (!Double.isFinite(label))
            {
                throw new IllegalArgumentException("label " + label + " must be finite in linear regression");
            }
            return (margin - label) * (margin - label) / 2;
        }

        @Override
        double derivative(final double margin, final double label)
        {
            return margin - label;
        }
    },
    /** Negative logarithm of the label's probability; labels are 0 and 1. */
    LOGISTIC
    {
        @Override
        double loss(final double margin, final double label)
        {
            if (label != 0 && label != 1)
            {
                throw new IllegalArgumentException("label " + label + " must be 0 or 1 in logistic regression");
            }
            return Math.max(0, margin) + Math.log1p(Math.exp(-Math.abs(margin))) - label * margin;
        }

        @Override
        double derivative(final double margin, final double label)
        {
            return probability(margin) - label;
        }
    };

    /** Number of sums besides those of features: the gradient of the intercept, and the loss. */
    private static final int OTHER_SUMS = 2;

    /**
     * Returns the loss of a point.
     *
     * @param margin prediction of the linear model.
     * @param label  label.
     * @return the loss, at least 0.
     */
    abstract double loss(double margin, double label);

    /**
     * Returns the derivative of the loss with respect to the margin.
     *
     * @param margin prediction of the linear model.
     * @param label  label.
     * @return the derivative.
     */
    abstract double derivative(double margin, double label);

    static double probability(final double margin)
    {
        return 1 / (1 + Math.exp(-margin));
    }

    @Override
    public int sums(final int features)
    {
        return features + OTHER_SUMS;
    }

    @Override
    public void add(final LabeledPoint point, final double[] parameters, final double[] sums)
    {
        final int features = point.features();
        final double margin = point.dot(parameters, 0) + parameters[features];
        final double derivative = derivative(margin, point.label());
        point.addTo(derivative, sums, 0);
        sums[features] += derivative;
        sums[features + 1] += loss(margin, point.label());
    }
}
