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
     * @param completionAddress completion address of an array of {@link WorkCompletion}s in native memory.
     * @param maxEntries        the array's length.
     * @return how many were written, 0 when there are none, or a negative {@link Errno} if the queue overran
     *     or is closed.
     */
    int poll(long completionAddress, int maxEntries);

    /**
     * Asks for one event on the channel when the next completion is added ({@code ibv_req_notify_cq}). Poll once more
     * after it: what is already in the queue makes no event.
     *
     * @param solicitedOnly true to be told only of solicited receives and of failures.
     * @throws RdmaException with {@link Errno#EINVAL} if the queue has no channel or is closed.
     */
    void requestNotify(boolean solicitedOnly);

    /**
     * How many completions it holds.
     *
     * @return at least what was asked for.
     */
    int capacity();

    /**
     * Changes how many completions it holds ({@code ibv_resize_cq}). Those in it stay.
     *
     * @param newCapacity the least number of completions that it must hold.
     * @throws RdmaException with {@link Errno#EINVAL} if that is out of the device's range, or less than there are in
     *                       it; {@link Errno#EOPNOTSUPP} if the provider cannot do it. Nothing is changed then.
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
