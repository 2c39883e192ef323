/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

/** Memory that a context allocated and that stays allocated while memory regions cover part of it. Thread-safe. */
public interface RegionMemory
{
    /**
     * The context that allocated the memory.
     *
     * @return token of that context; 0 if no peer can map the memory.
     */
    int token();

    /**
     * The number of the memory, among those of the context.
     *
     * @return the number.
     */
    int number();

    /**
     * The address of the first byte.
     *
     * @return address in this process.
     */
    long address();

    /**
     * Counts a new memory region that covers part of the memory.
     *
     * @throws org.tutti.rdma.RdmaException with EFAULT if the memory is closed.
     */
    void retain();

    /** Counts a closed memory region. */
    void release();
}
