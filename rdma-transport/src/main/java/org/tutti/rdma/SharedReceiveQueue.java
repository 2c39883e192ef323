/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** A receive queue that several queue pairs take from ({@code ibv_srq}). Thread-safe. */
public interface SharedReceiveQueue extends AutoCloseable
{
    /**
     * Posts a chain of receive requests ({@code ibv_post_srq_recv}).
     *
     * @param receiveRequestAddress address of the first {@link ReceiveWorkRequest}.
     * @return 0, or the {@link Errno} of the first that was refused.
     */
    int postReceive(long receiveRequestAddress);

    /**
     * The first request that the last {@link #postReceive} did not post ({@code bad_wr}): the caller's own while no
     * other thread posts.
     *
     * @return its address, 0 after success.
     */
    long badReceiveRequest();

    /**
     * Reads the attributes ({@code ibv_query_srq}).
     *
     * @return a snapshot.
     */
    SharedReceiveQueueAttributes query();

    /**
     * Changes how many requests it holds ({@code ibv_modify_srq} with {@code IBV_SRQ_MAX_WR}).
     *
     * @param maxWorkRequests maximum number of work requests, at least as many as are posted now.
     * @throws RdmaException with {@link Errno#EINVAL} if that is out of the device's range, {@link Errno#EOPNOTSUPP} if
     *                       the provider cannot do it.
     */
    void resize(int maxWorkRequests);

    /**
     * Arms the limit event ({@code ibv_modify_srq}).
     *
     * @param limit one event is made when fewer requests than this are left; 0 disarms.
     * @throws RdmaException with {@link Errno#EINVAL} if it is more than the queue holds.
     */
    void armLimit(int limit);

    /**
     * Destroys it ({@code ibv_destroy_srq}). Idempotent.
     *
     * @throws RdmaException with {@link Errno#EBUSY} while queue pairs use it.
     */
    @Override
    void close();
}
