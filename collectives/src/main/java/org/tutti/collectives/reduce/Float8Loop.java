/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.agrona.UnsafeApi;

import java.util.Arrays;

/**
 * Reduces floating-point numbers of 8 bits by table lookup: one table has the results of all pairs of operands;
 * averages have one more for each number of ranks, made at first use. The loop is the same for all operations.
 */
final class Float8Loop extends BlockReducer
{
    private final NarrowMath math;
    private final byte[] combined;
    private volatile byte[][] finished = {};

    Float8Loop(final NarrowMath math)
    {
        super(Byte.BYTES);
        this.math = math;
        combined = new byte[1 << (2 * Byte.SIZE)];
        for (int pair = 0; pair < combined.length; pair++)
        {
            combined[pair] = (byte)math.combine(pair >>> Byte.SIZE, pair);
        }
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        lookUp(combined, left, right, dst, length);
    }

    @Override
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        lookUp(math.isAverage() ? finished(ranks) : combined, left, right, dst, length);
    }

    private byte[] finished(final int ranks)
    {
        final byte[][] tables = finished;
        return ranks < tables.length && tables[ranks] != null ? tables[ranks] : makeFinished(ranks);
    }

    private synchronized byte[] makeFinished(final int ranks)
    {
        final byte[][] tables = Arrays.copyOf(finished, Math.max(finished.length, ranks + 1));
        if (tables[ranks] == null)
        {
            final byte[] table = new byte[combined.length];
            for (int pair = 0; pair < table.length; pair++)
            {
                table[pair] = (byte)math.finish(pair >>> Byte.SIZE, pair, ranks);
            }
            tables[ranks] = table;
            finished = tables;
        }
        return tables[ranks];
    }

    private static void lookUp(
        final byte[] table, final long left, final long right, final long dst, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            final int first = UnsafeApi.getByte(left + i) & 0xFF;
            final int second = UnsafeApi.getByte(right + i) & 0xFF;
            UnsafeApi.putByte(dst + i, table[(first << Byte.SIZE) | second]);
        }
    }
}
