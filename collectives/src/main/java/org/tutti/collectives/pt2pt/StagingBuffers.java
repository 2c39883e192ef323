/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.exec.StagingBuffer;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;

import java.util.ArrayList;
import java.util.List;

/** Registered memory for ranges of operations on memory that is not registered. Not thread-safe. */
final class StagingBuffers
{
    private final RegisteredMemoryPool pool;
    private final List<StagingBuffer> free = new ArrayList<>();

    StagingBuffers(final RegisteredMemoryPool pool)
    {
        this.pool = pool;
    }

    /** Returns memory for the range of an operation, which keeps it until it is done. */
    RegisteredBuffer of(final MessageOperation operation)
    {
        if (operation.staging == null)
        {
            operation.staging = free.isEmpty() ? new StagingBuffer(pool) : free.removeLast();
        }
        return operation.staging.buffer(operation.range);
    }

    void give(final StagingBuffer buffer)
    {
        free.add(buffer);
    }

    /** Frees the memory that no operation uses. */
    void close()
    {
        free.forEach(StagingBuffer::close);
    }
}
