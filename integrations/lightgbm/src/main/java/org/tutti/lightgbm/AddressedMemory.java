/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Accesses memory of LightGBM by address, without an object per access. */
final class AddressedMemory
{
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private AddressedMemory()
    {
    }

    /**
     * Reads an element of a C array of {@code int}.
     *
     * @param array address of the array.
     * @param index index of the element.
     * @return the element.
     */
    static int intAt(final long array, final int index)
    {
        return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, array + (long)index * Integer.BYTES);
    }

    /**
     * Writes a C {@code int}.
     *
     * @param address its address.
     * @param value   value.
     */
    static void putInt(final long address, final int value)
    {
        ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }

    /**
     * Reads a pointer.
     *
     * @param address its address.
     * @return the address that it contains.
     */
    static long pointerAt(final long address)
    {
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    /**
     * Copies bytes, also between overlapping memory.
     *
     * @param from  address of the first byte.
     * @param to    address to copy to.
     * @param bytes number of bytes, from 0.
     */
    static void copy(final long from, final long to, final long bytes)
    {
        if (from != to && bytes > 0)
        {
            MemorySegment.copy(ALL, from, ALL, to, bytes);
        }
    }

    /**
     * Sets bytes.
     *
     * @param address address of the first byte.
     * @param bytes   number of bytes, from 0.
     * @param value   value of each byte.
     */
    static void fill(final long address, final long bytes, final byte value)
    {
        ALL.asSlice(address, bytes).fill(value);
    }
}
