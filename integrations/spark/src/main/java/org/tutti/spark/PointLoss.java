/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Losses of linear models. The parameters are the weights of the features, then the intercept; the sums are the
 * gradient in the same order; the cost is the loss.
 */
enum PointLoss implements PointKernel
{
    /** Half the squared error; labels are finite. */
    SQUARED
    {
        @Override
        public boolean isValid(final double label)
        {
            return Double.isFinite(label);
        }

        @Override
        public String validLabels()
        {
            return "finite in linear regression";
        }

        @Override
        double loss(final double margin, final double label)
        {
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
        public boolean isValid(final double label)
        {
            return label == 0 || label == 1;
        }

        @Override
        public String validLabels()
        {
            return "0 or 1 in logistic regression";
        }

        @Override
        double loss(final double margin, final double label)
        {
            return Math.max(0, margin) + Math.log1p(Math.exp(-Math.abs(margin))) - label * margin;
        }

        @Override
        double derivative(final double margin, final double label)
        {
            return probability(margin) - label;
        }
    };

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
    public int length(final int features)
    {
        if (features >= MAX_LENGTH - 1)
        {
            throw new InvalidDataException("points have " + features + " features, but a regression has less than " +
                (MAX_LENGTH - 1) + ": use fewer features");
        }
        return features + 1;
    }

    @Override
    public double add(final LabeledPoint point, final MemorySegment parameters, final MemorySegment sums)
    {
        final int features = point.features();
        final double margin = point.dot(parameters, 0) + parameters.getAtIndex(ValueLayout.JAVA_DOUBLE, features);
        final double derivative = derivative(margin, point.label());
        point.addTo(derivative, sums, 0);
        sums.setAtIndex(
            ValueLayout.JAVA_DOUBLE, features, sums.getAtIndex(ValueLayout.JAVA_DOUBLE, features) + derivative);
        return loss(margin, point.label());
    }
}
