/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import java.util.Locale;

/** The collectives that can be measured, and the traffic that each one needs. */
enum Operation
{
    ALLREDUCE, BROADCAST, BARRIER;

    /**
     * What turns the bandwidth that a user sees into that of the hardware, whatever the number of ranks: each byte of
     * an allreduce must enter and leave every rank but for its own share.
     *
     * @param ranks at least 1.
     * @return bus bandwidth by algorithm bandwidth.
     * @see <a href="https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md">nccl-tests</a>
     */
    double busFactor(final int ranks)
    {
        return switch (this)
        {
            case ALLREDUCE -> 2.0 * (ranks - 1) / ranks;
            case BROADCAST -> 1.0;
            case BARRIER -> 0.0;
        };
    }

    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
