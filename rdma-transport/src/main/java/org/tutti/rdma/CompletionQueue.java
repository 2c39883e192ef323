/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** A completion queue ({@code ibv_cq}). Thread-safe; polling and arming allocate nothing. */
public interface CompletionQueue extends AutoCloseable
{
    /**
     * Takes completions off the queue ({@code ibv_poll_cq}), oldest first.
     *
     * @param completionAddress address of an array of {@link WorkCompletion}s in native memory.
     * @param maxEntries        length of the array, in completions.
     * @return number of completions written, 0 if the queue is empty, or a negative {@link Errno} if the queue overran
     *     or is closed.
     */
    int poll(long completionAddress, int maxEntries);

    /**
     * Requests one event on the channel for the next completion that is added ({@code ibv_req_notify_cq}). Poll once
     * more afterwards: completions that are already in the queue raise no event.
     *
     * @param solicitedOnly true to be notified only of solicited receives and of failures.
     * @throws RdmaException with {@link Errno#EINVAL} if the queue has no channel or is closed.
     */
    void requestNotify(boolean solicitedOnly);

    /**
     * The capacity of the queue.
     *
     * @return capacity in completions, at least the requested one.
     */
    int capacity();

    /**
     * Changes the capacity ({@code ibv_resize_cq}). Completions in the queue are kept.
     *
     * @param newCapacity the minimum number of completions that the queue must hold.
     * @throws RdmaException with {@link Errno#EINVAL} if the capacity is out of the device's range or below the number
     *                       of completions in the queue; {@link Errno#EOPNOTSUPP} if the provider does not support it.
     *                       The queue is then unchanged.
     */
    void resize(int newCapacity);

    /**
     * Frees the queue ({@code ibv_destroy_cq}). Idempotent.
     *
     * @throws RdmaException with {@link Errno#EBUSY} while queue pairs use it.
     */
    @Override
    void close();
}
