/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** Where completion queues announce that they have something ({@code ibv_comp_channel}). Thread-safe. */
public interface CompletionChannel extends AutoCloseable
{
    /**
     * Waits, asleep, for an event of a completion queue that was armed by {@link CompletionQueue#requestNotify}
     * ({@code ibv_get_cq_event}, acknowledged at once). One event per arming.
     *
     * @param timeoutNs maximum time to wait, in nanoseconds; 0 polls.
     * @return the queue that has an event, or null when none came in time.
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
