/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.tutti.rdma.shm.segment.Receives;

/**
 * Where a queue pair's receives come from, as its owner sees it: a queue of its own or one that is shared. What peers
 * do with it is in {@link Receives}.
 */
public interface ReceiveSource
{
    /**
     * Posts one receive to the queue pair, under the lock of its receive side.
     *
     * @param wr address of the request.
     * @return 0, or the errno that refuses it.
     */
    int post(long wr);

    /**
     * Notes that a completion was polled; called by one poller at a time.
     *
     * @param ticket ticket of the receive, which is free now.
     */
    void freed(long ticket);

    /**
     * Whether something is left to do in the error state.
     *
     * @return what was so a moment ago, unless the queue pair's guard is held.
     */
    boolean isPending();

    /** All receives were flushed in the error state; called with the queue pair's guard held. */
    void flushed();

    /** Takes all receives back; called with the queue pair's guard and the lock of the receive side held. */
    void reset();

    /** Frees all slots, after {@link #reset} and once no completion of theirs can be polled any more. */
    void freeAll();

    /** Lets go of everything; the queue pair is closed. */
    void close();
}
