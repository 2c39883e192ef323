/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Counts the bytes allocated by calls with counts: each call has another list than the one before it. */
class CountsAllocationTest
{
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    private static final long[] LENGTHS = {1, 100, 1024, 2048, 4096, 8192};
    private static final int WARM_UP = 600;
    private static final int ROOT = 1;

    private static List<Integer> sizes()
    {
        return IS_TORTURE ? List.of(2, 3, 4, 8) : List.of(2, 3);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldAllocateNothingPerCallWithAlternatingCounts(final int size)
    {
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                final Map<String, Long> allocated = new LinkedHashMap<>();
                new Calls(communicator).calls.forEach((name, calls) ->
                {
                    for (int i = 0; i < WARM_UP; i += calls.size())
                    {
                        calls.forEach(Runnable::run);
                    }
                    final Runnable[] each = calls.toArray(Runnable[]::new);
                    allocated.put(name, AllocationTest.leastAllocated(communicator, () -> runAll(each)));
                });
                allocated.values().removeIf(bytes -> bytes == 0);

                assertEquals(Map.of(), allocated);
            });
        }
    }

    private static void runAll(final Runnable... calls)
    {
        for (final Runnable call : calls)
        {
            call.run();
        }
    }

    /** Calls of each collective with counts, for all lengths, and for each with rising and falling counts. */
    private static final class Calls
    {
        private final Map<String, List<Runnable>> calls = new LinkedHashMap<>();
        private final Communicator communicator;
        private final int size;
        private final int rank;
        private final DataBuffer in;
        private final DataBuffer out;

        Calls(final Communicator communicator)
        {
            this.communicator = communicator;
            size = communicator.size();
            rank = communicator.rank();
            final long most = LENGTHS[LENGTHS.length - 1] * size * (size + 1);
            in = communicator.allocate(DataType.INT8, most);
            out = communicator.allocate(DataType.INT8, most);
            for (final long length : LENGTHS)
            {
                addShared(counts(i -> length * (i + 1)));
                addShared(counts(i -> length * (size - i)));
                addExchange((from, to) -> length * ((from + 2 * to) % size + 1));
                addExchange((from, to) -> length * (size - (from + 2 * to) % size));
            }
        }

        private void addShared(final long[] counts)
        {
            final DataBuffer own = communicator.allocate(DataType.INT8, counts[rank]);
            final long[] places = CollectiveCase.places(counts, 1);
            add("allgatherv", () -> communicator.allgatherv(own, out, counts));
            add("reduceScatter", () -> communicator.reduceScatter(in, own, counts, ReduceOp.MAX));
            add("gatherv", () -> communicator.gatherv(own, out, counts, ROOT));
            add("scatterv", () -> communicator.scatterv(in, counts, own, ROOT));
            add("placed gatherv", () -> communicator.gatherv(own, out, counts, places, ROOT));
            add("placed scatterv", () -> communicator.scatterv(in, counts, places, own, ROOT));
        }

        private void addExchange(final LongBinaryOperator lengthFromTo)
        {
            final long[] sent = counts(peer -> lengthFromTo.applyAsLong(rank, peer));
            final long[] received = counts(peer -> lengthFromTo.applyAsLong(peer, rank));
            final long[] sentPlaces = CollectiveCase.places(sent, 1);
            final long[] receivedPlaces = CollectiveCase.places(received, 1);
            add("alltoallv", () -> communicator.alltoallv(in, sent, out, received));
            add("placed alltoallv",
                () -> communicator.alltoallv(in, sent, sentPlaces, out, received, receivedPlaces));
        }

        private void add(final String name, final Runnable call)
        {
            calls.computeIfAbsent(name, _ -> new ArrayList<>()).add(call);
        }

        private long[] counts(final LongUnaryOperator lengthOf)
        {
            return LongStream.range(0, size).map(lengthOf).toArray();
        }
    }
}
