/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import org.tutti.collectives.Communicator;

import java.lang.foreign.MemorySegment;

/**
 * Memory for the values of one bucket at a time. They are reduced over all ranks in three steps, which overlap with
 * those of other exchanges and allocate nothing.
 */
interface BucketExchange extends AutoCloseable
{
    /**
     * Creates an exchange.
     *
     * @param communicator the ranks.
     * @param wire         how values travel.
     * @param average      whether to divide the sum by the number of ranks.
     * @param count        number of values, at least 1.
     * @return the exchange, to be closed by the caller.
     */
    static BucketExchange of(
        final Communicator communicator, final WireType wire, final boolean average, final long count)
    {
        return wire == WireType.FLOAT32 ? new FloatExchange(communicator, average, count) :
            new NarrowExchange(communicator, wire, average, count);
    }

    /**
     * Returns the values: inputs before {@link #start}, results after {@link #finish}.
     *
     * @return FLOAT32 values.
     */
    MemorySegment values();

    /** Starts sending this rank's values. All ranks start and proceed in the same order. */
    void start();

    /** Does what has to be done between two collectives, if the exchange has two. */
    void proceed();

    /**
     * Checks for the results, and progresses all exchanges of the communicator, without blocking.
     *
     * @return true if {@link #finish} would not wait.
     */
    boolean isReduced();

    /** Waits for the results. */
    void finish();

    @Override
    void close();
}
