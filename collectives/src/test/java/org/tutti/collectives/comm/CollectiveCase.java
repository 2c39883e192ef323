/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.schedule.Collective;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Calls of all ranks with values that identify their origin, and the expected value of each output element: a
 * sequential reference. Elements are longs.
 */
final class CollectiveCase
{
    private static final long UNTOUCHED = Long.MIN_VALUE / 3;

    private final Communicator communicator;
    private final Collective collective;
    private final int root;
    private final long salt;
    private final int rank;
    private final int size;

    CollectiveCase(
        final Communicator communicator, final Collective collective, final int root, final long salt)
    {
        this.communicator = communicator;
        this.collective = collective;
        this.root = root;
        this.salt = salt;
        rank = communicator.rank();
        size = communicator.size();
    }

    /** Checks buffers, or blocks of equal length. */
    void check(final long count, final boolean inPlace)
    {
        final long[] counts = new long[size];
        Arrays.fill(counts, count);
        final long[][] matrix = new long[size][];
        Arrays.fill(matrix, counts);
        switch (collective)
        {
            case REDUCE -> run(
                count, rank == root ? count : 0, 0, 0, inPlace && rank == root,
                (in, out) -> communicator.reduce(in, rank == root ? out : null, ReduceOp.SUM, root),
                (element, _) -> sum(0, size, element));
            case SCAN -> run(
                count, count, 0, 0, inPlace, (in, out) -> communicator.scan(in, out, ReduceOp.SUM),
                (element, _) -> sum(0, rank + 1, element));
            case EXSCAN -> run(
                count, count, 0, 0, inPlace, (in, out) -> communicator.exscan(in, out, ReduceOp.SUM),
                (element, untouched) -> rank == 0 ? untouched : sum(0, rank, element));
            case ALLGATHER -> gather(counts, null, inPlace, communicator::allgather);
            case GATHER -> gather(counts, null, inPlace, (in, out) -> communicator.gather(in, out, root));
            case GATHERV -> checkUneven(counts, null, inPlace);
            case REDUCE_SCATTER -> scatter(
                counts, null, inPlace, (in, out) -> communicator.reduceScatter(in, out, ReduceOp.SUM));
            case SCATTER -> scatter(counts, null, inPlace, (in, out) -> communicator.scatter(in, out, root));
            case SCATTERV -> checkUneven(counts, null, inPlace);
            case ALLTOALL -> exchange(matrix, 0, inPlace, communicator::alltoall);
            case ALLTOALLV -> checkExchange(matrix, 0, inPlace);
            default -> throw new IllegalArgumentException(collective + " is tested elsewhere");
        }
    }

    /**
     * Checks blocks of different lengths.
     *
     * @param counts        counts by rank.
     * @param displacements first elements of blocks; null for contiguous blocks.
     * @param inPlace       whether input and output overlap.
     */
    void checkUneven(final long[] counts, final long[] displacements, final boolean inPlace)
    {
        final long[] rootCounts = rank == root ? counts : null;
        final long[] rootPlaces = rank == root ? displacements : null;
        switch (collective)
        {
            case ALLGATHER -> gather(
                counts, displacements, inPlace, (in, out) -> communicator.allgatherv(in, out, counts));
            case GATHERV -> gather(
                counts, displacements, inPlace,
                (in, out) -> communicator.gatherv(in, out, rootCounts, rootPlaces, root));
            case REDUCE_SCATTER -> scatter(
                counts, displacements, inPlace,
                (in, out) -> communicator.reduceScatter(in, out, counts, ReduceOp.SUM));
            case SCATTERV -> scatter(
                counts, displacements, inPlace,
                (in, out) -> communicator.scatterv(in, rootCounts, rootPlaces, out, root));
            default -> throw new IllegalArgumentException(collective + " has no counts");
        }
    }

    /**
     * Checks an alltoallv.
     *
     * @param counts  counts by sending and receiving rank; symmetric if in place.
     * @param gap     number of elements between blocks.
     * @param inPlace whether input and output are the same buffer.
     */
    void checkExchange(final long[][] counts, final int gap, final boolean inPlace)
    {
        final long[] sent = counts[rank];
        final long[] received = column(counts, rank);
        exchange(counts, gap, inPlace, (in, out) -> communicator.alltoallv(
            in, sent, gap == 0 ? null : places(sent, gap), out, received, gap == 0 ? null : places(received, gap)));
    }

    /** A call on the case's buffers. */
    interface Call
    {
        void run(DataBuffer input, DataBuffer output);
    }

    private void gather(final long[] counts, final long[] displacements, final boolean inPlace, final Call call)
    {
        final boolean hasOutput = collective == Collective.ALLGATHER || rank == root;
        final long[] places = displacements == null ? places(counts, 0) : displacements;
        run(
            counts[rank], hasOutput ? end(counts, places) : 0, places[rank], 0, inPlace && hasOutput, call,
            (element, untouched) ->
            {
                final int from = blockOf(counts, places, element);
                return from < 0 ? untouched : value(from, element - places[from]);
            });
    }

    private void scatter(final long[] counts, final long[] displacements, final boolean inPlace, final Call call)
    {
        final boolean reduces = collective == Collective.REDUCE_SCATTER;
        final boolean hasInput = reduces || rank == root;
        final long[] places = displacements == null ? places(counts, 0) : displacements;
        run(
            hasInput ? end(counts, places) : 0, counts[rank], 0, places[rank], inPlace && hasInput, call,
            (element, _) -> reduces ? sum(0, size, places[rank] + element) :
                value(root, places[rank] + element));
    }

    private void exchange(final long[][] counts, final int gap, final boolean inPlace, final Call call)
    {
        final long[] sent = counts[rank];
        final long[] received = column(counts, rank);
        final long[] places = places(received, gap);
        final long[] starts = Arrays.stream(counts).mapToLong(row -> places(row, gap)[rank]).toArray();
        run(
            end(sent, places(sent, gap)), end(received, places), 0, 0, inPlace, call,
            (element, untouched) ->
            {
                final int from = blockOf(received, places, element);
                return from < 0 ? untouched : value(from, starts[from] + element - places[from]);
            });
    }

    private void run(
        final long inCount, final long outCount, final long inStart, final long outStart, final boolean inPlace,
        final Call call, final LongBinaryOperator expected)
    {
        final long most = Math.max(inCount + inStart, outCount + outStart);
        try (DataBuffer both = communicator.allocate(DataType.INT64, inPlace ? most : 0);
            DataBuffer separateInput = communicator.allocate(DataType.INT64, inPlace ? 0 : inCount);
            DataBuffer separateOutput = communicator.allocate(DataType.INT64, inPlace ? 0 : outCount))
        {
            final DataBuffer input = inPlace ? both.slice(inStart, inCount) : separateInput;
            final DataBuffer output = inPlace ? both.slice(outStart, outCount) : separateOutput;
            fill(output.segment(), outCount, index -> UNTOUCHED);
            fill(input.segment(), inCount, index -> value(rank, index));
            final long[] before = output.segment().toArray(JAVA_LONG);

            call.run(input, output);

            final MemorySegment actual = output.segment();
            for (long i = 0; i < outCount; i++)
            {
                final long due = expected.applyAsLong(i, before[(int)i]);
                if (due != actual.getAtIndex(JAVA_LONG, i))
                {
                    assertEquals(due, actual.getAtIndex(JAVA_LONG, i), collective + " rank=" + rank + " root=" + root +
                        " element=" + i + " of " + outCount + " inPlace=" + inPlace);
                }
            }
            final MemorySegment read = input.segment();
            for (long i = 0; !inPlace && i < inCount; i++)
            {
                if (value(rank, i) != read.getAtIndex(JAVA_LONG, i))
                {
                    assertEquals(value(rank, i), read.getAtIndex(JAVA_LONG, i), "input was written");
                }
            }
        }
    }

    private static void fill(
        final MemorySegment segment, final long count, final java.util.function.LongUnaryOperator value)
    {
        for (long i = 0; i < count; i++)
        {
            segment.setAtIndex(JAVA_LONG, i, value.applyAsLong(i));
        }
    }

    private long value(final int ofRank, final long element)
    {
        return (ofRank + 1) * 1_000_003L * 1_000_003L + element * 101 + salt;
    }

    private long sum(final int from, final int to, final long element)
    {
        long sum = 0;
        for (int ofRank = from; ofRank < to; ofRank++)
        {
            sum += value(ofRank, element);
        }
        return sum;
    }

    static long[] places(final long[] counts, final int gap)
    {
        final long[] places = new long[counts.length];
        for (int i = 1; i < places.length; i++)
        {
            places[i] = places[i - 1] + counts[i - 1] + gap;
        }
        return places;
    }

    private static long end(final long[] counts, final long[] places)
    {
        return IntStream.range(0, counts.length).mapToLong(i -> places[i] + counts[i]).max().orElse(0);
    }

    private static long[] column(final long[][] counts, final int to)
    {
        return Arrays.stream(counts).mapToLong(row -> row[to]).toArray();
    }

    private static int blockOf(final long[] counts, final long[] places, final long element)
    {
        for (int i = 0; i < counts.length; i++)
        {
            if (places[i] <= element && element < places[i] + counts[i])
            {
                return i;
            }
        }
        return -1;
    }
}
