/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.List;

/**
 * Summary of a peer's times in one row over several rounds.
 *
 * @param medianUs median in microseconds.
 * @param minUs    minimum in microseconds.
 * @param maxUs    maximum in microseconds.
 */
record Figure(double medianUs, double minUs, double maxUs)
{
    /**
     * Summarizes times.
     *
     * @param timesUs times in microseconds, in any order, at least one.
     */
    static Figure of(final List<Double> timesUs)
    {
        final double[] sorted = timesUs.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        final int middle = sorted.length / 2;
        final double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Figure(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** Whether the ranges overlap: the ratio of the medians then says little. */
    boolean overlaps(final Figure other)
    {
        return minUs <= other.maxUs && other.minUs <= maxUs;
    }
}
