/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies between rows and contiguous memory. The network computes on rows, each a Java array, because the JIT compiler
 * vectorizes loops over whole arrays; collectives need one contiguous block of registered memory.
 */
final class Rows
{
    private Rows()
    {
    }

    /**
     * Number of elements of rows.
     *
     * @param rows rows of any lengths.
     * @return sum of the lengths.
     */
    static int count(final float[][] rows)
    {
        int count = 0;
        for (final float[] row : rows)
        {
            count += row.length;
        }
        return count;
    }

    /**
     * Creates rows with the shape of others.
     *
     * @param rows rows of any lengths.
     * @return rows of equal number and lengths, filled with zeros.
     */
    static float[][] like(final float[][] rows)
    {
        final float[][] copy = new float[rows.length][];
        for (int i = 0; i < rows.length; i++)
        {
            copy[i] = new float[rows[i].length];
        }
        return copy;
    }

    /**
     * Copies rows to others.
     *
     * @param from rows to read.
     * @param to   rows to write, of equal number and lengths.
     */
    static void copy(final float[][] from, final float[][] to)
    {
        for (int i = 0; i < from.length; i++)
        {
            System.arraycopy(from[i], 0, to[i], 0, from[i].length);
        }
    }

    /**
     * Copies rows to memory.
     *
     * @param rows   rows to read.
     * @param memory memory to write from its start, of at least {@link #count} floats.
     */
    static void copyTo(final float[][] rows, final MemorySegment memory)
    {
        long offset = 0;
        for (final float[] row : rows)
        {
            MemorySegment.copy(row, 0, memory, ValueLayout.JAVA_FLOAT, offset, row.length);
            offset += (long)row.length * Float.BYTES;
        }
    }

    /**
     * Copies memory to rows.
     *
     * @param rows   rows to write.
     * @param memory memory to read from its start, of at least {@link #count} floats.
     */
    static void copyFrom(final float[][] rows, final MemorySegment memory)
    {
        long offset = 0;
        for (final float[] row : rows)
        {
            MemorySegment.copy(memory, ValueLayout.JAVA_FLOAT, offset, row, 0, row.length);
            offset += (long)row.length * Float.BYTES;
        }
    }

    /**
     * Hashes rows; every bit and the order matter.
     *
     * @param rows rows of any lengths.
     * @return hash, equal for bitwise equal rows and almost certainly different for others.
     */
    static long fingerprint(final float[][] rows)
    {
        long hash = 0;
        for (final float[] row : rows)
        {
            for (final float element : row)
            {
                hash = Long.rotateLeft((hash ^ Float.floatToRawIntBits(element)) * 0x9e3779b97f4a7c15L, 31);
            }
        }
        return hash;
    }
}
