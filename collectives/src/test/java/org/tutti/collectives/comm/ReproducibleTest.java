/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Reductions produce the same bits with any algorithm, length and collective. */
class ReproducibleTest
{
    private static final int[] COUNTS = {1, 5, 2_000, 20_000};
    private static final List<String> ALGORITHMS = List.of(
        "", "allreduce:0-:ring;reduce:0-:chain;reduce_scatter:0-:circulant;scan:0-:chain",
        "allreduce:0-:double_binary_tree;reduce:0-:binomial;reduce_scatter:0-:ring;scan:0-:chain");

    private static final ReduceOp COMBINED = ReduceOp.ofLongs("hash", ReproducibleTest::hash);

    static List<Integer> sizes()
    {
        return Boolean.getBoolean("tutti.test.torture") ?
            List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 11) : List.of(1, 2, 3, 5, 8);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldCombineNeighboursFirst(final int size)
    {
        for (final String algorithms : ALGORITHMS)
        {
            try (Ranks ranks = ranks(size, algorithms))
            {
                ranks.run(communicator ->
                {
                    for (final int count : COUNTS)
                    {
                        checkCombined(communicator, count);
                    }
                });
            }
        }
    }

    private static void checkCombined(final Communicator communicator, final int count)
    {
        final int size = communicator.size();
        final int rank = communicator.rank();
        final long[] input = LongStream.range(0, count * (long)size).map(i -> leaf(rank, i)).toArray();
        final long[] all = LongStream.range(0, input.length).map(i -> expected(size, i)).toArray();

        final long[] output = new long[input.length];
        communicator.allreduce(input, output, COMBINED);
        assertArrayEquals(all, output);

        final int root = count % size;
        final long[] reduced = new long[input.length];
        communicator.reduce(input, reduced, COMBINED, root);
        assertArrayEquals(rank == root ? all : new long[input.length], reduced);

        final long[] block = new long[count];
        communicator.reduceScatter(input, block, COMBINED);
        assertArrayEquals(Arrays.copyOfRange(all, rank * count, (rank + 1) * count), block);

        final long[] scanned = new long[input.length];
        communicator.scan(input, scanned, COMBINED);
        final long[] one = new long[1];
        communicator.scan(new long[] {input[input.length - 1]}, one, COMBINED);
        assertArrayEquals(new long[] {scanned[input.length - 1]}, one);
    }

    static List<Algorithm> reductions()
    {
        return Algorithms.all().stream().filter(algorithm -> switch (algorithm.collective())
        {
            case ALLREDUCE, REDUCE, REDUCE_SCATTER -> true;
            default -> false;
        }).toList();
    }

    @ParameterizedTest
    @MethodSource("reductions")
    void shouldDeclareWhetherAnAlgorithmCombinesNeighboursFirst(final Algorithm algorithm)
    {
        final boolean same =
            IntStream.of(2, 3, 5, 6, 7, 12).allMatch(size -> combinesNeighboursFirst(algorithm, size));

        assertEquals(algorithm.isReproducible(), same);
    }

    private static boolean combinesNeighboursFirst(final Algorithm algorithm, final int size)
    {
        final Collective collective = algorithm.collective();
        final AtomicBoolean same = new AtomicBoolean(true);
        final String choice = collective.name().toLowerCase(Locale.ROOT) + ":0-:" + algorithm.name();
        // Neighbours are on different hosts; otherwise hierarchical algorithms would combine them first anyway.
        try (Ranks ranks = Ranks.of(IntStream.range(0, size).mapToObj(rank ->
            Map.of("TUTTI_ALGORITHM", choice, "TUTTI_HOST", "host" + rank % 2)).toList()))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                final int root = size / 2;
                final long[] input = LongStream.range(0, 500L * size).map(i -> leaf(rank, i)).toArray();
                final long[] all = LongStream.range(0, input.length).map(i -> expected(size, i)).toArray();
                final long[] output = new long[collective == Collective.REDUCE_SCATTER ? 500 : input.length];
                switch (collective)
                {
                    case ALLREDUCE -> communicator.allreduce(input, output, COMBINED);
                    case REDUCE -> communicator.reduce(input, output, COMBINED, root);
                    default -> communicator.reduceScatter(input, output, COMBINED);
                }
                final int offset = collective == Collective.REDUCE_SCATTER ? 500 * rank : 0;
                if ((collective != Collective.REDUCE || rank == root) &&
                    !Arrays.equals(all, offset, offset + output.length, output, 0, output.length))
                {
                    same.set(false);
                }
            });
        }
        return same.get();
    }

    /** Neither commutative nor associative: the result depends on how operands were combined. */
    private static long hash(final long left, final long right)
    {
        return Long.rotateLeft(left * 0x9E3779B97F4A7C15L + 1, 23) + right * 0xC2B2AE3D27D4EB4FL;
    }

    private static long leaf(final int rank, final long index)
    {
        return (31 * index + rank + 1) * 0xBF58476D1CE4E5B9L ^ (index << 17);
    }

    private static long expected(final int size, final long index)
    {
        List<Long> values = new ArrayList<>();
        for (int rank = 0; rank < size; rank++)
        {
            values.add(leaf(rank, index));
        }
        final int folded = size - Integer.highestOneBit(size);
        for (int i = 0; i < folded; i++)
        {
            values.set(i, hash(values.get(i), values.remove(i + 1)));
        }
        while (values.size() > 1)
        {
            final List<Long> next = new ArrayList<>();
            for (int i = 0; i < values.size(); i += 2)
            {
                next.add(hash(values.get(i), values.get(i + 1)));
            }
            values = next;
        }
        return values.getFirst();
    }

    @Test
    void shouldProduceTheSameBitsOfFloatSumsOnlyWhenReproducible()
    {
        final float[] first = sums("", true);

        assertArrayEquals(first, sums(ALGORITHMS.get(1), true));
        assertArrayEquals(first, sums(ALGORITHMS.get(2), true));
        assertFalse(Arrays.equals(first, sums(ALGORITHMS.get(1), false)));
    }

    @ParameterizedTest
    @CsvSource({"aaa, aba", "aaaa, aabb", "aa, ab"})
    void shouldProduceTheSameBitsForAnyPlacementAndTransport(final String near, final String far)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        ReproducibleCases.requireSameBits(List.of(
            job(near, Map.of()),
            job(near, Map.of("TUTTI_DIRECT", "0")),
            job(far, Map.of("TUTTI_SCRATCH", "64K"))), seed);
    }

    private static ReproducibleCases.Job job(final String hosts, final Map<String, String> more)
    {
        final Map<String, String> settings = new HashMap<>(more);
        settings.put("TUTTI_TRANSPORT", "shm");
        settings.put("TUTTI_REPRODUCIBLE", "1");
        return new ReproducibleCases.Job(hosts, settings);
    }

    private static float[] sums(final String algorithms, final boolean reproducible)
    {
        final float[] sums = new float[1000];
        try (Ranks ranks = new Ranks(
            5, Map.of("TUTTI_ALGORITHM", algorithms, "TUTTI_REPRODUCIBLE", reproducible ? "1" : "0")))
        {
            ranks.run(communicator ->
            {
                final Random random = new Random(communicator.rank());
                final float[] data = new float[sums.length];
                for (int i = 0; i < data.length; i++)
                {
                    data[i] = random.nextFloat() - 0.5f;
                }
                communicator.allreduce(data, ReduceOp.SUM);
                if (communicator.rank() == 0)
                {
                    System.arraycopy(data, 0, sums, 0, sums.length);
                }
            });
        }
        return sums;
    }

    private static Ranks ranks(final int size, final String algorithms)
    {
        return new Ranks(size, Map.of("TUTTI_ALGORITHM", algorithms, "TUTTI_REPRODUCIBLE", "1"));
    }
}
