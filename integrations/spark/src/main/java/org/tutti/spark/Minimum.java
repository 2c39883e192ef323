/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

/**
 * Result of a minimization, besides the point.
 *
 * @param value       the smallest value that was found.
 * @param iterations  number of iterations.
 * @param ns          time of all iterations, in nanoseconds.
 * @param isConverged whether the gradient became as small as the tolerance demands.
 */
record Minimum(double value, int iterations, long ns, boolean isConverged)
{
}
