/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.schedule.Collective;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests all collectives but those of {@link CommunicatorTest}, on ranks that are threads. */
class CollectivesTest
{
    private static final List<Collective> OTHERS = List.copyOf(EnumSet.complementOf(
        EnumSet.of(Collective.ALLREDUCE, Collective.BROADCAST, Collective.BARRIER)));
    private static final int CALLS = Boolean.getBoolean("tutti.test.torture") ? 600 : 300;

    /** Ranks make the same calls at different speeds: a call must not disturb the next one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8})
    void shouldComputeRandomCallsInSequence(final int size)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                final Random random = new Random(seed);
                final Random own = new Random(seed + communicator.rank());
                for (int call = 0; call < CALLS; call++)
                {
                    if (own.nextInt(50) == 0)
                    {
                        Thread.sleep(1);
                    }
                    checkRandom(communicator, random, call);
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(value = CallForm.class, names = "BLOCKING", mode = EnumSource.Mode.EXCLUDE)
    void shouldComputeRandomCallsInOtherForms(final CallForm way)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final Random random = new Random(seed);
                for (int call = 0; call < CALLS; call++)
                {
                    checkRandom(way.of(communicator), random, call);
                }
            });
        }
    }

    static void checkRandom(final Communicator communicator, final Random random, final int call)
    {
        final int size = communicator.size();
        final Collective collective = OTHERS.get(random.nextInt(OTHERS.size()));
        final int root = collective.hasRoot() ? random.nextInt(size) : 0;
        final int most = random.nextInt(20) == 0 ? 40_000 : 40;
        final boolean inPlace = random.nextBoolean();
        final CollectiveCase aCase = new CollectiveCase(communicator, collective, root, call);
        final long[] counts = random.longs(size, 0, most).toArray();
        final int gap = random.nextInt(3);
        final long[][] matrix = new long[size][size];
        for (int from = 0; from < size; from++)
        {
            for (int to = 0; to < size; to++)
            {
                matrix[from][to] = inPlace && to < from ? matrix[to][from] : random.nextInt(most);
            }
        }
        if (collective.hasLocalCounts() && collective.exchanges())
        {
            aCase.checkExchange(matrix, gap, inPlace);
        }
        else if (collective.hasLocalCounts())
        {
            aCase.checkUneven(counts, gap == 0 ? null : CollectiveCase.places(counts, gap), inPlace);
        }
        else if (collective.hasGlobalCounts() && gap > 0)
        {
            aCase.checkUneven(counts, null, inPlace);
        }
        else
        {
            aCase.check(random.nextInt(most), inPlace);
        }
    }

    @Test
    void shouldAcceptArraysAndUnregisteredMemory()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(CollectivesTest::checkArrays);
        }
    }

    private static void checkArrays(final Communicator communicator)
    {
        final int rank = communicator.rank();
        final float[] sums = new float[2];
        communicator.reduce(new float[] {rank, 1}, rank == 1 ? sums : null, ReduceOp.SUM, 1);
        assertArrayEquals(rank == 1 ? new float[] {3, 3} : new float[2], sums);

        final double[] prefix = {rank + 1};
        communicator.scan(prefix, prefix, ReduceOp.PROD);
        assertArrayEquals(new double[] {rank == 0 ? 1 : rank == 1 ? 2 : 6}, prefix);

        final int[] before = {-1};
        communicator.exscan(new int[] {rank + 1}, before, ReduceOp.SUM);
        assertArrayEquals(new int[] {rank == 0 ? -1 : rank == 1 ? 1 : 3}, before);

        final long[] all = new long[3];
        communicator.allgather(new long[] {10 + rank}, all);
        assertArrayEquals(new long[] {10, 11, 12}, all);

        final int[] uneven = new int[3];
        communicator.allgatherv(rank == 0 ? new int[0] : rank == 1 ? new int[] {4, 5} : new int[] {6}, uneven, 0, 2, 1);
        assertArrayEquals(new int[] {4, 5, 6}, uneven);

        final float[] own = new float[1];
        communicator.reduceScatter(new float[] {1, 2, 3}, own, ReduceOp.SUM);
        assertArrayEquals(new float[] {3 * (rank + 1)}, own);
        final int[] part = new int[rank];
        communicator.reduceScatter(new int[] {7, 8, 9}, part, new long[] {0, 1, 2}, ReduceOp.MAX);
        assertArrayEquals(rank == 0 ? new int[0] : rank == 1 ? new int[] {7} : new int[] {8, 9}, part);

        final double[] gathered = new double[6];
        communicator.gather(new double[] {rank, -rank}, gathered, 2);
        assertArrayEquals(rank == 2 ? new double[] {0, 0, 1, -1, 2, -2} : new double[6], gathered);
        final int[] gatheredUneven = new int[3];
        communicator.gatherv(new int[rank], gatheredUneven, rank == 0 ? new long[] {0, 1, 2} : null, 0);

        final long[] mine = new long[1];
        communicator.scatter(rank == 1 ? new long[] {5, 6, 7} : null, mine, 1);
        assertArrayEquals(new long[] {5 + rank}, mine);
        final long[] mineUneven = new long[2 - rank];
        communicator.scatterv(
            rank == 0 ? new long[] {1, 2, 3} : null, rank == 0 ? new long[] {2, 1, 0} : null, mineUneven, 0);
        assertArrayEquals(rank == 0 ? new long[] {1, 2} : rank == 1 ? new long[] {3} : new long[0], mineUneven);

        final int[] exchanged = new int[3];
        communicator.alltoall(new int[] {10 * rank, 10 * rank + 1, 10 * rank + 2}, exchanged);
        assertArrayEquals(new int[] {rank, 10 + rank, 20 + rank}, exchanged);
        final float[] got = new float[rank * 3];
        communicator.alltoallv(
            new float[] {1, 2, 2}, new long[] {0, 1, 2}, got, new long[] {rank, rank, rank});
        assertArrayEquals(
            rank == 0 ? new float[0] : rank == 1 ? new float[] {1, 1, 1} : new float[] {2, 2, 2, 2, 2, 2}, got);
    }

    /** Stages several segments, the last of which contains only some of the blocks. */
    @Test
    void shouldStageInSeveralSegmentsWhenMemoryIsLong()
    {
        final int length = 1_500_000;
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                final long[] input = new long[length + rank];
                java.util.Arrays.setAll(input, i -> 3L * i + rank);
                final long[] all = new long[2 * length + 1];
                communicator.allgatherv(input, all, length, length + 1);
                for (int i = 0; i < all.length; i++)
                {
                    final int from = i < length ? 0 : 1;
                    requireElement(3L * (i - from * length) + from, all, i);
                }
                final long[] half = new long[length + rank];
                communicator.reduceScatter(all, half, new long[] {length, length + 1}, ReduceOp.SUM);
                for (int i = 0; i < half.length; i++)
                {
                    requireElement(2 * (3L * i + rank), half, i);
                }
            });
        }
    }

    private static void requireElement(final long expected, final long[] elements, final int i)
    {
        if (elements[i] != expected)
        {
            assertEquals(expected, elements[i], "element " + i);
        }
    }

    /** The ranks whose counts differ are not those that the others wait for. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFailOnAllRanksOfARingWhenCountsOfTwoDiffer(final boolean isDirect)
    {
        try (Ranks ranks = new Ranks(3, Map.of("TUTTI_DIRECT", isDirect ? "1" : "0")))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final DataBuffer input = communicator.allocate(DataType.INT64, 6000);
                final DataBuffer output = communicator.allocate(DataType.INT64, 6000);
                communicator.alltoallv(input, new long[] {2000, 2000, 2000},
                    output, new long[] {2000, communicator.rank() == 2 ? 0 : 2000, 2000});
            });

            assertTrue(thrown.stream().map(String::valueOf).anyMatch((text) ->
                text.contains("ranks disagree in call #0") && text.contains("16000") &&
                text.contains("rank 1") && text.contains("rank 2")), thrown::toString);
        }
    }

    /** Lengths: none, what fits the eager block (up to 512 elements), and more. */
    @ParameterizedTest
    @CsvSource({"5, 1", "0, 1", "1, 0", "512, 511", "512, 513", "513, 512", "513, 514", "2000, 0", "0, 2000"})
    void shouldNameBothRanksAndTheirCountsWhenCountsOfTwoDiffer(final long sent, final long expected)
    {
        for (final Collective collective : List.of(Collective.ALLTOALLV, Collective.GATHERV, Collective.SCATTERV))
        {
            try (Ranks ranks = new Ranks(2))
            {
                final List<Throwable> thrown = ranks.outcomes(communicator ->
                {
                    final int rank = communicator.rank();
                    final DataBuffer input = communicator.allocate(DataType.INT64, 4000);
                    final DataBuffer output = communicator.allocate(DataType.INT64, 4000);
                    switch (collective)
                    {
                        case ALLTOALLV -> communicator.alltoallv(
                            input, new long[] {1, rank == 0 ? sent : 1},
                            output, new long[] {rank == 1 ? expected : 1, 1});
                        case GATHERV -> communicator.gatherv(
                            input.slice(0, rank == 0 ? sent : 1), output, new long[] {expected, 1}, 1);
                        default -> communicator.scatterv(
                            input, new long[] {1, sent}, output.slice(0, rank == 0 ? 1 : expected), 0);
                    }
                    // The sender of a short block does not wait for the receiver that detects the mismatch.
                    communicator.barrier();
                });

                final String told = thrown.stream().map(String::valueOf).filter(
                    (text) -> text.contains("ranks disagree in call #0")).findFirst().orElseThrow();
                assertTrue(
                    (told.contains("rank 0") && told.contains(8 * sent + " bytes for rank 1") &&
                        told.contains("expects " + 8 * expected)) ||
                    (told.contains("rank 1") && told.contains("expects " + 8 * expected + " bytes of rank 0") &&
                        told.contains("has " + 8 * sent)), told);
                assertInstanceOf(CollectiveException.class, thrown.get(0));
                assertInstanceOf(CollectiveException.class, thrown.get(1));
            }
        }
    }

    @Test
    void shouldReportThatCountsPerRankDiffer()
    {
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final DataBuffer input = communicator.allocate(DataType.INT64, 1);
                final DataBuffer output = communicator.allocate(DataType.INT64, 100);
                communicator.allgatherv(
                    input, output, communicator.rank() == 0 ? new long[] {1, 3} : new long[] {3, 1});
            });

            for (final Throwable failure : thrown)
            {
                assertInstanceOf(CollectiveException.class, failure);
                assertTrue(failure.getMessage().contains("allgather(4 × int64)"), failure.getMessage());
                assertTrue(failure.getMessage().contains("different counts per rank"), failure.getMessage());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(CallForm.class)
    void shouldThrowWhenCountsOrBuffersAreInvalid(final CallForm way)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(own ->
            {
                final Communicator communicator = way.of(own);
                final DataBuffer three = communicator.allocate(DataType.INT64, 3);
                final DataBuffer four = communicator.allocate(DataType.INT64, 4);
                refused("output must have 2 times as many elements as input, one block per rank: 3 != 2 × 4",
                    () -> communicator.allgather(four, three));
                refused("counts has length 3: must have 2 counts, one per rank",
                    () -> communicator.allgatherv(three, four, 1, 2, 3));
                refused("input count and counts[" + communicator.rank() + "] differ: 3 != 1",
                    () -> communicator.allgatherv(three, four, 1, 1));
                refused("count[0]=-1", () -> communicator.allgatherv(three, four, -1, 1));
                refused("op=AVG: a scan", () -> communicator.scan(three, three, ReduceOp.AVG));
                refused("op=premul_sum(3.0): not supported by scans",
                    () -> communicator.exscan(three, three, ReduceOp.premulSum(3)));
                refused("op=minloc is not defined on INT64", () -> communicator.exscan(three, three, ReduceOp.MINLOC));
                refused("op=band is not defined on FLOAT32",
                    () -> communicator.scan(new float[1], new float[1], ReduceOp.BAND));
                refused("root=2: must be from 0 to 1", () -> communicator.reduce(three, three, ReduceOp.SUM, 2));
                refused("multiples of 2, the number of ranks", () -> communicator.alltoall(three, three));
                refused("a rank must receive as much from itself as it sends to itself",
                    () -> communicator.alltoallv(four, new long[] {2, 2}, three, new long[] {1, 1}));
                refused("must be this rank's block of the longer one",
                    () -> communicator.reduceScatter(four, four.slice(1, 2), ReduceOp.SUM));
                refused("overlap: received blocks must be disjoint", () -> communicator.alltoallv(
                    four, new long[] {1, 1}, null, three, new long[] {1, 1}, new long[] {0, 0}));
                communicator.barrier();
            });
        }
    }

    private static void refused(final String text, final org.junit.jupiter.api.function.Executable call)
    {
        final IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, call);
        assertTrue(thrown.getMessage().contains(text), thrown::getMessage);
    }
}
