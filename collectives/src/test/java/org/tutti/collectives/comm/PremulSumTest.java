/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Premultiplied sums whose output has no space for the products. */
class PremulSumTest
{
    private static final long[] COUNTS = {0, 1, 7, 20_000, 100};
    private static final List<DataType> TYPES = List.of(DataType.FLOAT32, DataType.UINT8, DataType.BFLOAT16);
    private static final ReduceOp TIMES_3 = ReduceOp.premulSum(3);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void shouldScaleEveryInputOnceAtTheRoot(final int size)
    {
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                for (final DataType type : TYPES)
                {
                    for (final long count : COUNTS)
                    {
                        for (int root = 0; root < size; root++)
                        {
                            checkReduce(communicator, type, count, root, false);
                            checkReduce(communicator, type, count, root, true);
                        }
                    }
                }
            });
        }
    }

    private static void checkReduce(
        final Communicator communicator, final DataType type, final long count, final int root, final boolean inPlace)
    {
        try (DataBuffer input = communicator.allocate(type, count);
            DataBuffer apart = communicator.allocate(type, count))
        {
            fill(input, communicator.rank());
            communicator.reduce(input, inPlace ? input : apart, TIMES_3, root);
            final boolean isRoot = communicator.rank() == root;
            if (isRoot)
            {
                checkSums(inPlace ? input : apart, 0, communicator.size());
            }
            if (!isRoot || !inPlace)
            {
                checkUntouched(input, communicator.rank());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void shouldScaleEveryInputOnceBeforeSumsAreScattered(final int size)
    {
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                for (final DataType type : TYPES)
                {
                    for (final long count : COUNTS)
                    {
                        final long[] same = new long[size];
                        Arrays.fill(same, count);
                        checkReduceScatter(communicator, type, same, false);
                        checkReduceScatter(communicator, type, same, true);
                        final long[] uneven = new long[size];
                        Arrays.setAll(uneven, rank -> (rank + 2) % 3 * count);
                        checkReduceScatter(communicator, type, uneven, false);
                        checkReduceScatter(communicator, type, uneven, true);
                    }
                }
            });
        }
    }

    private static void checkReduceScatter(
        final Communicator communicator, final DataType type, final long[] counts, final boolean inPlace)
    {
        final int rank = communicator.rank();
        final long offset = Arrays.stream(counts, 0, rank).sum();
        try (DataBuffer input = communicator.allocate(type, Arrays.stream(counts).sum());
            DataBuffer apart = communicator.allocate(type, counts[rank]))
        {
            fill(input, rank);
            final DataBuffer output = inPlace ? input.slice(offset, counts[rank]) : apart;
            communicator.reduceScatter(input, output, counts, TIMES_3);
            checkSums(output, offset, communicator.size());
            if (!inPlace)
            {
                checkUntouched(input, rank);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldScaleUnregisteredMemory(final int size)
    {
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                final int[] input = new int[3 * size];
                Arrays.setAll(input, i -> communicator.rank() + i);
                final int[] sums = new int[input.length];
                final int[] block = new int[3];
                communicator.allreduce(input, sums, TIMES_3);
                communicator.reduceScatter(input, block, TIMES_3);
                for (int i = 0; i < sums.length; i++)
                {
                    assertEquals(3 * (size * i + size * (size - 1) / 2), sums[i]);
                }
                assertEquals(sums[3 * communicator.rank() + 2], block[2]);
            });
        }
    }

    private static void fill(final DataBuffer buffer, final int rank)
    {
        for (long i = 0; i < buffer.count(); i++)
        {
            Reference.set(buffer.segment(), buffer.type(), i, (rank + i) % 4);
        }
    }

    private static void checkSums(final DataBuffer buffer, final long first, final int size)
    {
        for (long i = 0; i < buffer.count(); i++)
        {
            long sum = 0;
            for (int rank = 0; rank < size; rank++)
            {
                sum += 3 * ((rank + first + i) % 4);
            }
            assertEquals((double)sum, Reference.get(buffer.segment(), buffer.type(), i));
        }
    }

    private static void checkUntouched(final DataBuffer buffer, final int rank)
    {
        for (long i = 0; i < buffer.count(); i++)
        {
            assertEquals((double)((rank + i) % 4), Reference.get(buffer.segment(), buffer.type(), i));
        }
    }
}
