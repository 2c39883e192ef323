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
    default void close()
    {
        closeExcept();
    }

    /**
     * Closes the memory except for parts of it. These keep their addresses and their content, and become private memory
     * of this process, which the caller has to unmap. What a thread stores there during this call may be lost. Does
     * nothing if the memory is closed.
     *
     * @param kept offset and length of each part, in bytes: whole pages, ascending, without overlap.
     * @throws RdmaException with {@link Errno#EBUSY} while a memory region covers part of the memory, with {@link
     *                       Errno#ENOMEM} if the host has not enough memory: all of it then stays mapped.
     */
    void closeExcept(long... kept);
}
