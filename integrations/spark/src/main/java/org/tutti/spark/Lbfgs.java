/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Minimizes a convex function by the limited-memory BFGS method (J. Nocedal, "Updating quasi-Newton matrices with
 * limited storage", doi:10.1090/S0025-5718-1980-0572855-7), with backtracking until the decrease is sufficient. Ranks
 * divide all vectors among them, and make the same decisions, as these depend on sums only. Equal values and gradients
 * give equal results, bit for bit, on as many ranks.
 */
final class Lbfgs
{
    private static final double SUFFICIENT_DECREASE = 1e-4;
    private static final int MAX_HALVINGS = 30;

    private final int history;
    private final int maxIterations;
    private final double tolerance;

    /**
     * Creates a method.
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

    /**
     * Minimizes a function. Collective.
     *
     * @param objective function; its point is the start, and is set to where the smallest value was found.
     * @return the result, the same on all ranks.
     * @throws InvalidDataException on all ranks, if value or gradient at the start are infinite or NaN.
     */
    Minimum minimize(final Objective objective)
    {
        final LbfgsBasis basis = new LbfgsBasis(history, objective);
        final double[] direction = new double[objective.length()];
        double value = objective.evaluate();
        basis.start();
        requireFinite("loss", value);
        requireFinite("norm of the gradient", basis.gradientNorm());
        final long startNs = System.nanoTime();
        int iterations = 0;
        boolean isDecreasing = true;
        while (isDecreasing && iterations < maxIterations && !isConverged(basis))
        {
            final double slope = basis.descend(direction);
            double step = basis.isSteepest() ? Math.min(1, 1 / basis.gradientNorm()) : 1;
            double next = Double.NaN;
            boolean isDecrease = false;
            for (int i = 0; i < MAX_HALVINGS && !isDecrease; i++)
            {
                move(basis.point(), step, direction, objective.point());
                next = objective.evaluate();
                isDecrease = next <= value + SUFFICIENT_DECREASE * step * slope;
                step /= 2;
            }
            if (!isDecrease)
            {
                break;
            }
            basis.accept();
            // Rounding hides any further decrease.
            isDecreasing = next < value;
            value = next;
            iterations++;
        }
        final long ns = System.nanoTime() - startNs;
        // The last point may be one without a sufficient decrease.
        MemorySegment.copy(
            basis.point(), 0, objective.point(), ValueLayout.JAVA_DOUBLE, 0, objective.length());
        return new Minimum(value, iterations, ns, isConverged(basis));
    }

    private static void requireFinite(final String name, final double value)
    {
        if (!Double.isFinite(value))
        {
            throw new InvalidDataException("the " + name + " at the start is " + value +
                ", as labels or features are too large: scale them");
        }
    }

    private boolean isConverged(final LbfgsBasis basis)
    {
        return basis.gradientNorm() <= tolerance * Math.max(1, basis.pointNorm());
    }

    private static void move(
        final double[] from, final double step, final double[] direction, final MemorySegment point)
    {
        for (int i = 0; i < from.length; i++)
        {
            point.setAtIndex(ValueLayout.JAVA_DOUBLE, i, from[i] + step * direction[i]);
        }
    }
}
