/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.stream.IntStream;

/**
 * The vectors of which the direction of an L-BFGS iteration is a linear combination: the latest steps, the changes of
 * the gradient in them, and the gradient. The two loops of the method run on the factors of these vectors, and need
 * only the vectors' dot products, so ranks that have a chunk of each vector sum once per iteration (W. Chen, Z. Wang,
 * J. Zhou, "Large-scale L-BFGS using MapReduce", Advances in Neural Information Processing Systems 27, 2014).
 */
final class LbfgsBasis
{
    private static final double LEAST_CURVATURE = 1e-10;
    /** Number of elements of all vectors that are processed together, while the caches hold them. */
    private static final int BLOCK = 2048;
    /** Number of new vectors in an iteration: a step, a change and the gradient. */
    private static final int NEW = 3;

    private final int history;
    private final Objective objective;
    /** Index of the gradient; those of steps are 0 to history - 1, those of changes follow. */
    private final int gradient;
    private final double[][] vectors;
    private final double[][] dots;
    /** Indices of the steps in use, oldest first. */
    private final Deque<Integer> steps = new ArrayDeque<>();
    private final double[] point;
    private double squaredPoint;

    LbfgsBasis(final int history, final Objective objective)
    {
        this.history = history;
        this.objective = objective;
        gradient = 2 * history;
        vectors = new double[gradient + 1][];
        dots = new double[gradient + 1][gradient + 1];
        point = new double[objective.length()];
    }

    /** Makes the objective's point and gradient the current ones, without history. Collective. */
    void start()
    {
        vectors[gradient] = objective.gradient().toArray(ValueLayout.JAVA_DOUBLE);
        MemorySegment.copy(objective.point(), ValueLayout.JAVA_DOUBLE, 0, point, 0, point.length);
        final double[] sums = new double[2];
        for (int start = 0; start < point.length; start += BLOCK)
        {
            final int end = Math.min(point.length, start + BLOCK);
            sums[0] += dot(vectors[gradient], start, end);
            sums[1] += dot(point, start, end);
        }
        objective.sum(sums);
        dots[gradient][gradient] = sums[0];
        squaredPoint = sums[1];
    }

    /** Returns this rank's chunk of the current point. */
    double[] point()
    {
        return point;
    }

    double pointNorm()
    {
        return Math.sqrt(squaredPoint);
    }

    double gradientNorm()
    {
        return Math.sqrt(dots[gradient][gradient]);
    }

    /** Whether there is no history, so that the direction is that of the negative gradient. */
    boolean isSteepest()
    {
        return steps.isEmpty();
    }

    /**
     * Computes the next direction: the negative product of the approximate inverse Hessian with the gradient.
     *
     * @param direction set to this rank's chunk of the direction.
     * @return dot product of the direction with the gradient, negative.
     */
    double descend(final double[] direction)
    {
        double[] factors = factors();
        double slope = combine(factors, gradient);
        if (!(slope < 0))
        {
            // Rounding has lost the curvature.
            steps.clear();
            factors = factors();
            slope = combine(factors, gradient);
        }
        for (int start = 0; start < direction.length; start += BLOCK)
        {
            final int end = Math.min(direction.length, start + BLOCK);
            Arrays.fill(direction, start, end, 0);
            for (int vector = 0; vector < factors.length; vector++)
            {
                if (factors[vector] != 0)
                {
                    add(factors[vector], vectors[vector], direction, start, end);
                }
            }
        }
        return slope;
    }

    /** Returns the factor of each vector in the direction, by the method's two loops. */
    private double[] factors()
    {
        final double[] factors = new double[vectors.length];
        final double[] first = new double[history];
        factors[gradient] = -1;
        for (final int step : steps.reversed())
        {
            first[step] = combine(factors, step) / curvature(step);
            factors[history + step] -= first[step];
        }
        if (!steps.isEmpty())
        {
            final int latest = steps.peekLast();
            final double scale = curvature(latest) / dots[history + latest][history + latest];
            for (int vector = 0; vector < factors.length; vector++)
            {
                factors[vector] *= scale;
            }
        }
        for (final int step : steps)
        {
            factors[step] += first[step] - combine(factors, history + step) / curvature(step);
        }
        return factors;
    }

    private double curvature(final int step)
    {
        return dots[step][history + step];
    }

    /** Returns the dot product of a linear combination of all vectors with one of them. */
    private double combine(final double[] factors, final int vector)
    {
        double sum = 0;
        for (int i = 0; i < factors.length; i++)
        {
            // Products with vectors that are not in use may be infinite.
            sum += factors[i] == 0 ? 0 : factors[i] * dots[i][vector];
        }
        return sum;
    }

    /**
     * Makes the objective's point and gradient the current ones, and adds step and change to the history, in place of
     * the oldest ones if it is full; unless rounding has lost the curvature. Collective.
     */
    void accept()
    {
        final int step = freeStep();
        final int[] used = IntStream.concat(steps.stream().mapToInt(Integer::intValue), IntStream.of(step))
            .flatMap(index -> IntStream.of(index, history + index)).toArray();
        final int[] all = Arrays.copyOf(used, used.length + 1);
        all[used.length] = gradient;
        final double[] sums = new double[NEW * all.length + 1];
        final MemorySegment nextPoint = objective.point();
        final MemorySegment nextGradient = objective.gradient();
        for (int start = 0; start < point.length; start += BLOCK)
        {
            final int end = Math.min(point.length, start + BLOCK);
            replace(point, nextPoint, vectors[step], start, end);
            replace(vectors[gradient], nextGradient, vectors[history + step], start, end);
            for (int i = 0; i < all.length; i++)
            {
                addDots(vectors[all[i]], step, start, end, sums, NEW * i);
            }
            sums[sums.length - 1] += dot(point, start, end);
        }
        objective.sum(sums);
        for (int i = 0; i < all.length; i++)
        {
            setDot(step, all[i], sums[NEW * i]);
            setDot(history + step, all[i], sums[NEW * i + 1]);
            setDot(gradient, all[i], sums[NEW * i + 2]);
        }
        squaredPoint = sums[sums.length - 1];
        if (curvature(step) > LEAST_CURVATURE * Math.sqrt(dots[step][step]) *
            Math.sqrt(dots[history + step][history + step]))
        {
            steps.addLast(step);
        }
    }

    /** Returns the index of a step that is not in use, or else no longer. */
    private int freeStep()
    {
        if (steps.size() == history)
        {
            return steps.removeFirst();
        }
        int step = 0;
        while (steps.contains(step))
        {
            step++;
        }
        if (vectors[step] == null)
        {
            vectors[step] = new double[point.length];
            vectors[history + step] = new double[point.length];
        }
        return step;
    }

    private void setDot(final int left, final int right, final double dot)
    {
        dots[left][right] = dot;
        dots[right][left] = dot;
    }

    /** Replaces a block of a vector, and sets that of another one to the difference. */
    private static void replace(final double[] vector, final MemorySegment next, final double[] difference,
        final int start, final int end)
    {
        for (int i = start; i < end; i++)
        {
            final double value = next.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
            difference[i] = value - vector[i];
            vector[i] = value;
        }
    }

    /** Adds the dot products of a block of a vector with the new step, the new change and the gradient. */
    private void addDots(final double[] vector, final int step, final int start, final int end, final double[] sums,
        final int first)
    {
        final double[] newStep = vectors[step];
        final double[] newChange = vectors[history + step];
        final double[] newGradient = vectors[gradient];
        double withStep = 0;
        double withChange = 0;
        double withGradient = 0;
        for (int i = start; i < end; i++)
        {
            withStep += vector[i] * newStep[i];
            withChange += vector[i] * newChange[i];
            withGradient += vector[i] * newGradient[i];
        }
        sums[first] += withStep;
        sums[first + 1] += withChange;
        sums[first + 2] += withGradient;
    }

    private static double dot(final double[] vector, final int start, final int end)
    {
        double sum = 0;
        for (int i = start; i < end; i++)
        {
            sum += vector[i] * vector[i];
        }
        return sum;
    }

    private static void add(
        final double factor, final double[] vector, final double[] sum, final int start, final int end)
    {
        for (int i = start; i < end; i++)
        {
            sum[i] += factor * vector[i];
        }
    }
}
