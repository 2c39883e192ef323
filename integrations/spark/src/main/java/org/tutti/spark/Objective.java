/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

/** A differentiable function to minimize. */
@FunctionalInterface
interface Objective
{
    /**
     * Computes value and gradient.
     *
     * @param point    where to compute them.
     * @param gradient set to the gradient.
     * @return the value.
     */
    double evaluate(double[] point, double[] gradient);
}
