/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

/** Computes a kernel's sums over all points of all partitions. */
@FunctionalInterface
interface GlobalSums
{
    /**
     * Computes the sums.
     *
     * @param parameters current parameters of the model.
     * @param sums       set to the sums.
     */
    void compute(double[] parameters, double[] sums);
}
