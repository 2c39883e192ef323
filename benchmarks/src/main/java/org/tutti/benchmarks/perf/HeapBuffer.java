/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;

import java.lang.foreign.MemorySegment;

/**
 * Elements in an array on the Java heap, for the calls on unregistered memory.
 *
 * @param type    type of the elements.
 * @param count   number of elements.
 * @param segment elements as memory.
 */
record HeapBuffer(DataType type, long count, MemorySegment segment) implements DataBuffer
{
    /** The maximum length of an array of {@code long}s in bytes: some JVMs use a few words for the header. */
    private static final long MAX_LENGTH = (Integer.MAX_VALUE - 8L) * Long.BYTES;

    /** Allocates an array; its type is that of the longest elements, so that all elements are aligned. */
    static HeapBuffer of(final DataType type, final long count)
    {
        final long length = count * type.size();
        if (length > MAX_LENGTH)
        {
            throw new IllegalArgumentException(
                "--memory heap: " + length + " bytes exceed " + MAX_LENGTH + ", the maximum of an array; reduce -e");
        }
        final long[] array = new long[(int)((length + Long.BYTES - 1) / Long.BYTES)];
        return new HeapBuffer(type, count, MemorySegment.ofArray(array).asSlice(0, length));
    }

    @Override
    public DataBuffer slice(final long offset, final long sliceCount)
    {
        return new HeapBuffer(type, sliceCount, segment.asSlice(offset * type.size(), sliceCount * type.size()));
    }

    @Override
    public void close()
    {
        // The garbage collector frees the array.
    }
}
