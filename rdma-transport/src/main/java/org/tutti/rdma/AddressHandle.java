/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** A path for datagrams ({@code ibv_ah}). */
public interface AddressHandle extends AutoCloseable
{
    /**
     * The value of {@code wr.ud.ah} in send requests that use this path, for {@link SendWorkRequest#datagram}.
     *
     * @return an opaque native value.
     */
    long handle();

    /** Destroys the handle ({@code ibv_destroy_ah}). Idempotent. */
    @Override
    void close();
}
