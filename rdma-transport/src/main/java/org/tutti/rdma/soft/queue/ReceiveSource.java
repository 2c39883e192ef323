/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.queue;

import org.tutti.rdma.soft.segment.Receives;

/**
 * The source of a queue pair's receives, on the owner's side: its own queue or a shared one. The peers' side is
 * {@link Receives}.
 */
public interface ReceiveSource
{
    /**
     * Posts one receive, under the lock of the receive side.
     *
     * @param wr address of the request.
     * @return 0, or the errno of the rejection.
     */
    int post(long wr);

    /**
     * Frees a receive whose completion was polled; called by one poller at a time.
     *
     * @param ticket ticket of the receive.
     */
    void freed(long ticket);

    /**
     * Whether receives are left to flush in the error state.
     *
     * @return a snapshot, unless the queue pair's guard is held.
     */
    boolean isPending();

    /** Called after all receives were flushed in the error state, with the queue pair's guard held. */
    void flushed();

    /** Discards all receives; called with the queue pair's guard and the lock of the receive side held. */
    void reset();

    /** Frees all slots, after {@link #reset} and once none of their completions can be polled. */
    void freeAll();

    /** Releases all resources when the queue pair is closed. */
    void close();
}
