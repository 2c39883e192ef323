/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** A channel for the events of completion queues ({@code ibv_comp_channel}). Thread-safe. */
public interface CompletionChannel extends AutoCloseable
{
    /**
     * Blocks until a completion queue armed by {@link CompletionQueue#requestNotify} has an event
     * ({@code ibv_get_cq_event}, acknowledged immediately). Each arming yields one event.
     *
     * @param timeoutNs maximum time to wait, in nanoseconds; 0 polls.
     * @return the queue that has an event, or null on timeout.
     */
    CompletionQueue awaitEvent(long timeoutNs);

    /**
     * Frees the channel. Idempotent.
     *
     * @throws RdmaException with {@link Errno#EBUSY} while completion queues use it.
     */
    @Override
    void close();
}
