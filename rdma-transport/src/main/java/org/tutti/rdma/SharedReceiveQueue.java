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
     * @param receiveRequestAddress of the first {@link ReceiveWorkRequest}.
     * @return 0, or the {@link Errno} of the first that was refused.
     */
    int postReceive(long receiveRequestAddress);

    /**
     * Arms the limit event ({@code ibv_modify_srq}).
     *
     * @param limit one event is made when fewer requests than this are left; 0 disarms.
     */
    void armLimit(int limit);

    /** Destroys it ({@code ibv_destroy_srq}). Idempotent. */
    @Override
    void close();
}
