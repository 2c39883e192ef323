/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import java.lang.foreign.MemorySegment;

/** Memory from {@link Context#allocateMemory}: page-aligned and zeroed. Closing unmaps it. */
public interface AllocatedMemory extends AutoCloseable
{
    /**
     * Where it is mapped in this process.
     *
     * @return a virtual address.
     */
    long address();

    /**
     * How long it is.
     *
     * @return in bytes; at least what was asked for.
     */
    long length();

    /**
     * The memory as a segment of the global scope: it must not be touched after {@link #close()}.
     *
     * @return from {@link #address()}, {@link #length()} bytes long.
     */
    default MemorySegment segment()
    {
        return MemorySegment.ofAddress(address()).reinterpret(length());
    }

    /**
     * Unmaps it and gives its pages back, wherever else it is mapped: a peer that still uses an address from
     * {@link QueuePair#loadStoreAddress} reads zeros there, and may end by SIGBUS once the host has no memory left.
     * Idempotent.
     *
     * @throws RdmaException with {@link Errno#EBUSY} while a memory region covers part of it.
     */
    @Override
    void close();
}
