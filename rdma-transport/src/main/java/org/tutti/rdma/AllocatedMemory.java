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
     * The address of the memory in this process.
     *
     * @return a virtual address.
     */
    long address();

    /**
     * The length of the memory.
     *
     * @return length in bytes, at least the requested one.
     */
    long length();

    /**
     * The memory as a segment of the global scope, which must not be accessed after {@link #close()}.
     *
     * @return segment of {@link #length()} bytes at {@link #address()}.
     */
    default MemorySegment segment()
    {
        return MemorySegment.ofAddress(address()).reinterpret(length());
    }

    /**
     * Unmaps the memory and frees its pages, even if peers have mapped it: a peer that still uses an address from
     * {@link QueuePair#loadStoreAddress} reads zeros, and may be killed by SIGBUS once the host has no memory left.
     * Idempotent.
     *
     * @throws RdmaException with {@link Errno#EBUSY} while a memory region covers part of it.
     */
    @Override
    void close();
}
