/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.List;

/**
 * What some rounds say of one size.
 *
 * @param medianUs microseconds.
 * @param minUs    the least.
 * @param maxUs    the greatest.
 */
record Figure(double medianUs, double minUs, double maxUs)
{
    /**
     * Of times in microseconds, at least one.
     *
     * @param timesUs times in any order, in microseconds.
     */
    static Figure of(final List<Double> timesUs)
    {
        final double[] sorted = timesUs.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        final int middle = sorted.length / 2;
        final double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Figure(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** Whether some time of one was reached by the other: then the ratio of medians says little. */
    boolean overlaps(final Figure other)
    {
        return minUs <= other.maxUs && other.minUs <= maxUs;
    }
}
