/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;

import java.lang.foreign.Arena;
import java.util.Locale;

/** The kind of memory that calls are measured on. */
enum MemoryKind
{
    /** Memory of the communicator, which the library allocates and registers. */
    ALLOCATED,
    /** Memory outside the Java heap that the caller allocates and registers. */
    REGISTERED,
    /** Java heap, which cannot be registered. */
    HEAP;

    private static final long ALIGNMENT = 64;

    /**
     * Returns a buffer of this kind, to be closed by the caller.
     *
     * @param count number of elements, from 0.
     */
    DataBuffer buffer(final Communicator communicator, final DataType type, final long count)
    {
        return switch (this)
        {
            case ALLOCATED -> communicator.allocate(type, count);
            case REGISTERED -> communicator.register(type, Arena.ofAuto().allocate(count * type.size(), ALIGNMENT));
            case HEAP -> HeapBuffer.of(type, count);
        };
    }

    /** Returns whether an operation has a form for this kind of memory, in a mode. */
    boolean suits(final Operation operation, final Mode mode)
    {
        return switch (this)
        {
            case ALLOCATED -> true;
            case REGISTERED -> !operation.isOneSided();
            case HEAP -> mode == Mode.BLOCKING && operation != Operation.BARRIER && !operation.isOneSided();
        };
    }

    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
