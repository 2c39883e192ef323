/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

/**
 * How much of a nonblocking call a computation hides, in microseconds, over the ranks as {@code -a} says.
 *
 * @param overallUs time to start the call, compute and wait for the call, in microseconds.
 * @param computeUs time of the computation, in microseconds.
 * @param pureUs    time to start the call and wait for it at once, in microseconds.
 */
record Overlap(double overallUs, double computeUs, double pureUs)
{
    /**
     * The part of the call that costs no time beside the computation, as the OSU Micro-Benchmarks define it.
     *
     * @return percent, from 0 to 100.
     */
    double percent()
    {
        return pureUs > 0 ? Math.clamp(100 * (1 - (overallUs - computeUs) / pureUs), 0.0, 100.0) : 0;
    }
}
