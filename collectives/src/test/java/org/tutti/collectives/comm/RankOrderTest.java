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

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Non-commutative operations with every reducing collective and the algorithms selected for it. */
class RankOrderTest
{
    private static final long[] COUNTS = {0, 1, 7, 9_000};

    /** A map from x to {@code factor * x + added}: composition is associative, but not commutative. */
    private static final DataType MAP = DataType.opaque("affine", 2 * Long.BYTES);
    private static final ReduceOp THEN = ReduceOp.ofSegments("then", RankOrderTest::then).nonCommutative();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldReduceAndScanInRankOrder(final int size)
    {
        try (Ranks ranks = new Ranks(size))
        {
            shouldReduceInRankOrder(ranks, size);
        }
    }

    static void shouldReduceInRankOrder(final Ranks ranks, final int size)
    {
        ranks.run(communicator ->
        {
            for (final long count : COUNTS)
            {
                try (DataBuffer input = communicator.allocate(MAP, count);
                    DataBuffer output = communicator.allocate(MAP, count))
                {
                    fill(input, communicator.rank());
                    communicator.allreduce(input, output, THEN);
                    check(output, 0, size);
                    for (int root = 0; root < size; root++)
                    {
                        communicator.reduce(input, output, THEN, root);
                        check(output, 0, communicator.rank() == root ? size : 0);
                    }
                    communicator.scan(input, output, THEN);
                    check(output, 0, communicator.rank() + 1);
                    communicator.exscan(input, output, THEN);
                    check(output, 0, communicator.rank());
                    communicator.reduce(input, input, THEN, size - 1);
                    check(input, 0, communicator.rank() == size - 1 ? size : 0);
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldReduceScatterInRankOrder(final int size)
    {
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                for (final long count : COUNTS)
                {
                    final long[] same = new long[size];
                    Arrays.fill(same, count);
                    checkReduceScatter(communicator, same, false);
                    checkReduceScatter(communicator, same, true);
                    final long[] uneven = new long[size];
                    Arrays.setAll(uneven, rank -> (rank + 2) % 3 * count);
                    checkReduceScatter(communicator, uneven, false);
                    checkReduceScatter(communicator, uneven, true);
                }
            });
        }
    }

    private static void checkReduceScatter(
        final Communicator communicator, final long[] counts, final boolean inPlace)
    {
        final int rank = communicator.rank();
        final long offset = Arrays.stream(counts, 0, rank).sum();
        try (DataBuffer input = communicator.allocate(MAP, Arrays.stream(counts).sum());
            DataBuffer apart = communicator.allocate(MAP, counts[rank]))
        {
            fill(input, rank);
            final DataBuffer output = inPlace ? input.slice(offset, counts[rank]) : apart;
            communicator.reduceScatter(input, output, counts, THEN);
            check(output, offset, communicator.size());
        }
    }

    private static void then(
        final MemorySegment left, final MemorySegment right, final MemorySegment results, final long count)
    {
        for (long offset = 0; offset < count * MAP.size(); offset += MAP.size())
        {
            final long factor = left.get(JAVA_LONG_UNALIGNED, offset);
            final long added = left.get(JAVA_LONG_UNALIGNED, offset + 8);
            final long nextFactor = right.get(JAVA_LONG_UNALIGNED, offset);
            final long nextAdded = right.get(JAVA_LONG_UNALIGNED, offset + 8);
            results.set(JAVA_LONG_UNALIGNED, offset, factor * nextFactor);
            results.set(JAVA_LONG_UNALIGNED, offset + 8, added * nextFactor + nextAdded);
        }
    }

    private static void fill(final DataBuffer buffer, final int rank)
    {
        for (long i = 0; i < buffer.count(); i++)
        {
            buffer.segment().set(JAVA_LONG_UNALIGNED, 16 * i, factor(rank, i));
            buffer.segment().set(JAVA_LONG_UNALIGNED, 16 * i + 8, added(rank, i));
        }
    }

    /** Checks the composition of the maps of a number of ranks, unless it is 0. */
    private static void check(final DataBuffer buffer, final long first, final int ranks)
    {
        for (long i = 0; ranks > 0 && i < buffer.count(); i++)
        {
            long factor = 1;
            long added = 0;
            for (int rank = 0; rank < ranks; rank++)
            {
                factor *= factor(rank, first + i);
                added = added * factor(rank, first + i) + added(rank, first + i);
            }
            assertEquals(factor, buffer.segment().get(JAVA_LONG_UNALIGNED, 16 * i));
            assertEquals(added, buffer.segment().get(JAVA_LONG_UNALIGNED, 16 * i + 8));
        }
    }

    /** Odd, and therefore invertible, so that the result depends on every map. */
    private static long factor(final int rank, final long index)
    {
        return 2 * (rank + index) + 3;
    }

    private static long added(final int rank, final long index)
    {
        return 7 * index - rank;
    }
}
