/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

/**
 * Result of a minimization.
 *
 * @param point      where the function is smallest.
 * @param value      value there.
 * @param iterations number of iterations.
 * @param ns         time of all iterations, in nanoseconds.
 */
@SuppressWarnings("ArrayRecordComponent")
record Minimum(double[] point, double value, int iterations, long ns)
{
}
