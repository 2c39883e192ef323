/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** Registered memory ({@code ibv_mr}). Immutable until closed; thread-safe. */
public interface MemoryRegion extends AutoCloseable
{
    /**
     * The domain it belongs to.
     *
     * @return never null.
     */
    ProtectionDomain protectionDomain();

    /**
     * The first byte.
     *
     * @return a virtual address of this process.
     */
    long address();

    /**
     * How long it is.
     *
     * @return in bytes.
     */
    long length();

    /**
     * The key for scatter/gather entries of this process.
     *
     * @return 32 opaque bits.
     */
    int lkey();

    /**
     * The key for work requests of peers.
     *
     * @return 32 opaque bits.
     */
    int rkey();

    /**
     * What may be done to it.
     *
     * @return a sum of {@link AccessFlags}.
     */
    int access();

    /** Deregisters it ({@code ibv_dereg_mr}): when it returns, no peer touches the memory any more. Idempotent. */
    @Override
    void close();
}
