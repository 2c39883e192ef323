/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Minimizes a convex function by the limited-memory BFGS method (J. Nocedal, "Updating quasi-Newton matrices with
 * limited storage", doi:10.1090/S0025-5718-1980-0572855-7), with backtracking until the decrease is sufficient. Equal
 * values and gradients give equal results, bit for bit.
 */
final class Lbfgs
{
    private static final double SUFFICIENT_DECREASE = 1e-4;
    private static final double LEAST_CURVATURE = 1e-10;
    private static final int MAX_HALVINGS = 30;

    private final int history;
    private final int maxIterations;
    private final double tolerance;
    private final Deque<Update> updates = new ArrayDeque<>();

    /** The difference of two points, and of the gradients there. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Update(double[] step, double[] change)
    {
        double curvature()
        {
            return dot(step, change);
        }
    }

    /**
     * Creates a minimization, for one call.
     *
     * @param history       number of updates that approximate the curvature, at least 1.
     * @param maxIterations maximum number of iterations.
     * @param tolerance     norm of the gradient, relative to that of the point, at which to stop.
     */
    Lbfgs(final int history, final int maxIterations, final double tolerance)
    {
        this.history = history;
        this.maxIterations = maxIterations;
        this.tolerance = tolerance;
    }

    Minimum minimize(final Objective objective, final double[] start)
    {
        double[] point = start.clone();
        double[] gradient = new double[point.length];
        double[] nextPoint = new double[point.length];
        double[] nextGradient = new double[point.length];
        final double[] direction = new double[point.length];
        double value = objective.evaluate(point, gradient);
        final long startNs = System.nanoTime();
        int iterations = 0;
        boolean isDecreasing = true;
        while (isDecreasing && iterations < maxIterations && norm(gradient) > tolerance * Math.max(1, norm(point)))
        {
            descend(gradient, direction);
            final double slope = dot(gradient, direction);
            double step = updates.isEmpty() ? Math.min(1, 1 / norm(gradient)) : 1;
            double next = Double.NaN;
            boolean isDecrease = false;
            for (int i = 0; i < MAX_HALVINGS && !isDecrease; i++)
            {
                add(point, step, direction, nextPoint);
                next = objective.evaluate(nextPoint, nextGradient);
                isDecrease = next <= value + SUFFICIENT_DECREASE * step * slope;
                step /= 2;
            }
            if (!isDecrease)
            {
                break;
            }
            remember(point, gradient, nextPoint, nextGradient);
            final double[] oldPoint = point;
            final double[] oldGradient = gradient;
            point = nextPoint;
            gradient = nextGradient;
            nextPoint = oldPoint;
            nextGradient = oldGradient;
            // Rounding hides any further decrease.
            isDecreasing = next < value;
            value = next;
            iterations++;
        }
        return new Minimum(point, value, iterations, System.nanoTime() - startNs);
    }

    /** Sets the direction to the negative product of the approximate inverse Hessian with the gradient. */
    private void descend(final double[] gradient, final double[] direction)
    {
        add(gradient, 0, gradient, direction);
        final double[] factors = new double[updates.size()];
        int i = updates.size();
        for (final Update update : updates.reversed())
        {
            factors[--i] = dot(update.step, direction) / update.curvature();
            add(direction, -factors[i], update.change, direction);
        }
        final Update latest = updates.peekLast();
        final double scale = latest == null ? 1 : latest.curvature() / dot(latest.change, latest.change);
        for (int j = 0; j < direction.length; j++)
        {
            direction[j] *= -scale;
        }
        for (final Update update : updates)
        {
            final double correction = dot(update.change, direction) / update.curvature();
            add(direction, -factors[i++] - correction, update.step, direction);
        }
    }

    /** Adds an update, in the arrays of the oldest one, unless rounding has lost the curvature. */
    private void remember(
        final double[] point, final double[] gradient, final double[] nextPoint, final double[] nextGradient)
    {
        final Update update = updates.size() < history ?
            new Update(new double[point.length], new double[point.length]) : updates.removeFirst();
        add(nextPoint, -1, point, update.step);
        add(nextGradient, -1, gradient, update.change);
        if (update.curvature() > LEAST_CURVATURE * norm(update.step) * norm(update.change))
        {
            updates.addLast(update);
        }
    }

    private static void add(final double[] left, final double factor, final double[] right, final double[] sum)
    {
        for (int i = 0; i < sum.length; i++)
        {
            sum[i] = left[i] + factor * right[i];
        }
    }

    private static double dot(final double[] left, final double[] right)
    {
        double sum = 0;
        for (int i = 0; i < left.length; i++)
        {
            sum += left[i] * right[i];
        }
        return sum;
    }

    private static double norm(final double[] vector)
    {
        return Math.sqrt(dot(vector, vector));
    }
}
