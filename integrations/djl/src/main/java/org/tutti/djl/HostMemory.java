/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.ndarray.NDArray;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Finds the memory of arrays. */
final class HostMemory
{
    private HostMemory()
    {
    }

    /**
     * Returns the memory of a parameter's value.
     *
     * @param array the value, which must outlive the memory.
     * @return its memory, or null if the array is not in one contiguous part of host memory.
     */
    static MemorySegment of(final NDArray array)
    {
        // An array that is not contiguous is copied each time.
        final MemorySegment first = direct(array);
        final MemorySegment second = direct(array);
        return first != null && second != null && first.address() == second.address() ? first : null;
    }

    /**
     * Returns the elements of an array in memory.
     *
     * @param array the array.
     * @return its own memory if that is contiguous and in the host, else that of a copy; null if the engine gives an
     *         array of Java's heap.
     */
    static MemorySegment direct(final NDArray array)
    {
        final ByteBuffer buffer = array.toByteBuffer(true);
        return buffer.isDirect() ? MemorySegment.ofBuffer(buffer) : null;
    }
}
