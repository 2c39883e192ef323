/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * A vector of features, dense or sparse, with a label. Immutable: the arrays of which it is created are not copied, and
 * must not be modified.
 */
public final class LabeledPoint implements Serializable
{
    private static final long serialVersionUID = 1L;

    private final double label;
    private final int features;
    /** Indices of the values; null if the vector is dense. */
    private final int[] indices;
    private final double[] values;

    private LabeledPoint(final double label, final int features, final int[] indices, final double[] values)
    {
        this.label = label;
        this.features = features;
        this.indices = indices;
        this.values = values;
    }

    /**
     * Creates a point with a value for each feature.
     *
     * @param label  label; any number if unused, as in clustering.
     * @param values value of each feature, at least one; finite.
     * @return the point.
     * @throws IllegalArgumentException if there is no value, or one is infinite or NaN.
     */
    public static LabeledPoint dense(final double label, final double... values)
    {
        requireFeatures(values.length);
        for (int i = 0; i < values.length; i++)
        {
            requireFinite(i, values[i]);
        }
        return new LabeledPoint(label, values.length, null, values);
    }

    /**
     * Creates a point of which only the features with the given indices may differ from 0.
     *
     * @param label    label; any number if unused, as in clustering.
     * @param features number of features, at least 1.
     * @param indices  indices of the values, from 0 to {@code features} - 1, each at most once.
     * @param values   values, as many as indices; finite.
     * @return the point.
     * @throws IllegalArgumentException if an index is out of range or repeated, a value is infinite or NaN, or there
     *                                  are more or fewer values than indices.
     */
    public static LabeledPoint sparse(
        final double label, final int features, final int[] indices, final double[] values)
    {
        requireFeatures(features);
        if (indices.length != values.length)
        {
            throw new IllegalArgumentException(
                "index and value counts differ: " + indices.length + " != " + values.length);
        }
        for (int i = 0; i < indices.length; i++)
        {
            if (indices[i] < 0 || indices[i] >= features)
            {
                throw new IllegalArgumentException("index " + indices[i] + " must be from 0 to " + (features - 1));
            }
            requireFinite(indices[i], values[i]);
        }
        requireDistinct(indices);
        return new LabeledPoint(label, features, indices, values);
    }

    private static void requireDistinct(final int[] indices)
    {
        boolean isAscending = true;
        for (int i = 1; i < indices.length && isAscending; i++)
        {
            isAscending = indices[i - 1] < indices[i];
        }
        if (!isAscending)
        {
            final int[] sorted = indices.clone();
            Arrays.sort(sorted);
            for (int i = 1; i < sorted.length; i++)
            {
                if (sorted[i - 1] == sorted[i])
                {
                    throw new IllegalArgumentException(
                        "index " + sorted[i] + " is repeated: give each feature at most one value");
                }
            }
        }
    }

    private static void requireFeatures(final int features)
    {
        if (features < 1)
        {
            throw new IllegalArgumentException("number of features must be at least 1: " + features);
        }
    }

    private static void requireFinite(final int feature, final double value)
    {
        if (!Double.isFinite(value))
        {
            throw new IllegalArgumentException(
                "feature " + feature + " is " + value + ", but must be finite: drop the point, or replace the value");
        }
    }

    /**
     * Returns the label.
     *
     * @return any number.
     */
    public double label()
    {
        return label;
    }

    /**
     * Returns the number of features.
     *
     * @return number of features, at least 1.
     */
    public int features()
    {
        return features;
    }

    /**
     * Computes the dot product with a part of a vector.
     *
     * @param vector vector of numbers, which contains a factor for each feature.
     * @param offset index of the first factor.
     * @return the dot product.
     */
    double dot(final MemorySegment vector, final long offset)
    {
        double sum = 0;
        for (int i = 0; i < values.length; i++)
        {
            sum += values[i] * vector.getAtIndex(ValueLayout.JAVA_DOUBLE, offset + index(i));
        }
        return sum;
    }

    /**
     * Adds a multiple of this vector to a part of another one.
     *
     * @param factor factor of the features.
     * @param vector vector of numbers, which contains a sum for each feature.
     * @param offset index of the first sum.
     */
    void addTo(final double factor, final MemorySegment vector, final long offset)
    {
        for (int i = 0; i < values.length; i++)
        {
            final long at = offset + index(i);
            vector.setAtIndex(
                ValueLayout.JAVA_DOUBLE, at, vector.getAtIndex(ValueLayout.JAVA_DOUBLE, at) + factor * values[i]);
        }
    }

    double squaredNorm()
    {
        double sum = 0;
        for (final double value : values)
        {
            sum += value * value;
        }
        return sum;
    }

    private int index(final int i)
    {
        return indices == null ? i : indices[i];
    }
}
