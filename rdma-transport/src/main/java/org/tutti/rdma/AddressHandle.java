/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** A path that datagrams are sent along ({@code ibv_ah}). */
public interface AddressHandle extends AutoCloseable
{
    /**
     * What work requests carry as {@code ah}.
     *
     * @return an opaque native value.
     */
    long handle();

    /** Destroys it ({@code ibv_destroy_ah}). Idempotent. */
    @Override
    void close();
}
