/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.HdrHistogram.Histogram;

/**
 * One half of a row: a collective, out of place or in place, at one size.
 *
 * @param timeUs    mean time of an iteration divided by its messages, in microseconds, combined over the ranks as
 *                  {@code -a} specifies.
 * @param algBw     bytes over time, in GB/s (10^9 bytes).
 * @param busBw     {@code algBw} multiplied by {@link Operation#busFactor}.
 * @param wrong     number of wrong elements on all ranks; {@link #UNCHECKED} if not checked.
 * @param histogram nanoseconds of this rank's iterations, each divided by its messages; null if not requested.
 * @param overlap   overlap of a nonblocking call, for which {@code timeUs} is the time of the call without computation;
 *                  null for other calls.
 * @param lost      fraction of its time that the most disturbed rank lost, from 0 to 1; see {@link ProcessorTimeLoss}.
 */
record Measurement(
    double timeUs, double algBw, double busBw, long wrong, Histogram histogram, Overlap overlap, double lost)
{
    static final long UNCHECKED = -1;

    static Measurement of(
        final Operation operation, final int ranks, final long length, final double timeUs,
        final long wrong, final Histogram histogram, final Overlap overlap, final double lost)
    {
        final double algBw = timeUs > 0 ? length / timeUs / 1e3 : 0;
        return new Measurement(timeUs, algBw, algBw * operation.busFactor(ranks), wrong, histogram, overlap, lost);
    }
}
