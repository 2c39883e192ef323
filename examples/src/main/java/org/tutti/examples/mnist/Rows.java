/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The network computes on rows, each a Java array, because the JIT compiler vectorises loops over whole arrays;
 * collectives want one piece of registered memory. These copies lie between, one row after the other.
 */
final class Rows
{
    private Rows()
    {
    }

    /**
     * How many elements rows have.
     *
     * @param rows rows of any lengths.
     * @return the sum of the lengths.
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
     * Makes rows like others.
     *
     * @param rows rows of any lengths.
     * @return as many, as long, of zeros.
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
     * Copies rows into memory.
     *
     * @param rows   read.
     * @param memory written from its start; at least {@link #count} floats.
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
     * Copies memory into rows.
     *
     * @param rows   written.
     * @param memory read from its start; at least {@link #count} floats.
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
     * A number that tells rows apart: it depends on every bit and on the order.
     *
     * @param rows rows of any lengths.
     * @return equal for rows that are equal bit by bit, and hardly ever for others.
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
