/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** A receive queue shared by several queue pairs ({@code ibv_srq}). Thread-safe. */
public interface SharedReceiveQueue extends AutoCloseable
{
    /**
     * Posts a chain of receive requests ({@code ibv_post_srq_recv}).
     *
     * @param receiveRequestAddress address of the first {@link ReceiveWorkRequest}.
     * @return 0, or the {@link Errno} of the first rejected request.
     */
    int postReceive(long receiveRequestAddress);

    /**
     * The request rejected by the last {@link #postReceive} ({@code bad_wr}); reliable only while no other thread
     * posts.
     *
     * @return address of the request, 0 after success.
     */
    long badReceiveRequest();

    /**
     * Reads the attributes ({@code ibv_query_srq}).
     *
     * @return a snapshot.
     */
    SharedReceiveQueueAttributes query();

    /**
     * Changes the capacity ({@code ibv_modify_srq} with {@code IBV_SRQ_MAX_WR}).
     *
     * @param maxWorkRequests new capacity in requests, at least the number of requests posted now.
     * @throws RdmaException with {@link Errno#EINVAL} if the capacity is out of the device's range,
     *                       {@link Errno#EOPNOTSUPP} if the provider does not support it.
     */
    void resize(int maxWorkRequests);

    /**
     * Arms the limit event ({@code ibv_modify_srq}).
     *
     * @param limit threshold in requests: one event is raised when fewer are left; 0 disarms it.
     * @throws RdmaException with {@link Errno#EINVAL} if the limit exceeds the capacity.
     */
    void armLimit(int limit);

    /**
     * Destroys the queue ({@code ibv_destroy_srq}). Idempotent.
     *
     * @throws RdmaException with {@link Errno#EBUSY} while queue pairs use it.
     */
    @Override
    void close();
}
