/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

/**
 * Overlap of a nonblocking call and a computation, in microseconds, combined over the ranks as {@code -a} specifies.
 *
 * @param overallUs time to start the call, compute and wait for the call, in microseconds.
 * @param computeUs time of the computation, in microseconds.
 * @param pureUs    time to start the call and wait for it at once, in microseconds.
 */
record Overlap(double overallUs, double computeUs, double pureUs)
{
    /**
     * Overlap as the OSU Micro-Benchmarks define it: the part of the call that the computation hides.
     *
     * @return percentage, from 0 to 100.
     */
    double percent()
    {
        return pureUs > 0 ? Math.clamp(100 * (1 - (overallUs - computeUs) / pureUs), 0.0, 100.0) : 0;
    }
}
