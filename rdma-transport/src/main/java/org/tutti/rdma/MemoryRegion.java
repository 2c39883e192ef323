/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** Registered memory ({@code ibv_mr}). Immutable until closed; thread-safe. */
public interface MemoryRegion extends AutoCloseable
{
    /**
     * The protection domain that the region belongs to.
     *
     * @return never null.
     */
    ProtectionDomain protectionDomain();

    /**
     * The address of the first byte.
     *
     * @return a virtual address of this process.
     */
    long address();

    /**
     * The length of the region.
     *
     * @return length in bytes.
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
     * The access rights.
     *
     * @return a sum of {@link AccessFlags}.
     */
    int access();

    /** Deregisters the region ({@code ibv_dereg_mr}): after this returns, no peer accesses the memory. Idempotent. */
    @Override
    void close();
}
