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
import org.tutti.collectives.select.DefaultTunings;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Bits of float sums around all lengths at which the algorithm changes, for comparing jobs. */
final class ReproducibleCases
{
    private static final List<Collective> REDUCTIONS = List.of(
        Collective.ALLREDUCE, Collective.REDUCE, Collective.REDUCE_SCATTER, Collective.SCAN, Collective.EXSCAN);
    private static final long LONGEST_BYTES = 64 << 10;
    private static final long FLOAT_BYTES = 4;
    private static final int MOST_RANKS = 8;

    private ReproducibleCases()
    {
    }

    /** The hosts of the ranks, by one letter each, and the settings of the transport. */
    record Job(String hosts, Map<String, String> settings)
    {
        Ranks start()
        {
            return HierarchicalTest.ranks(hosts, settings);
        }
    }

    /** Requires the same bits from all jobs, which have equally many ranks. */
    static void requireSameBits(final List<Job> jobs, final long seed)
    {
        Map<String, byte[]> first = null;
        for (final Job job : jobs)
        {
            final Map<String, byte[]> bits = bits(job, seed);
            first = first == null ? bits : first;
            assertEquals(first.keySet(), bits.keySet());
            for (final Map.Entry<String, byte[]> of : first.entrySet())
            {
                assertArrayEquals(of.getValue(), bits.get(of.getKey()),
                    () -> of.getKey() + " in " + job + " is not as in " + jobs.getFirst() + ", seed=" + seed);
            }
        }
    }

    private static Map<String, byte[]> bits(final Job job, final long seed)
    {
        final Map<String, byte[]> all = new LinkedHashMap<>();
        try (Ranks ranks = job.start())
        {
            final List<Map<String, byte[]>> ofRanks = job.hosts().chars()
                .<Map<String, byte[]>>mapToObj(_ -> new LinkedHashMap<>()).toList();
            ranks.run(communicator -> callAll(communicator, seed, ofRanks.get(communicator.rank())));
            ofRanks.forEach(all::putAll);
        }
        return all;
    }

    private static void callAll(final Communicator communicator, final long seed, final Map<String, byte[]> bits)
    {
        final float[] values = new float[(int)(LONGEST_BYTES / FLOAT_BYTES) + MOST_RANKS];
        final Random random = new Random(seed + communicator.rank());
        for (int i = 0; i < values.length; i++)
        {
            values[i] = (random.nextFloat() - 0.5f) * (1 << random.nextInt(20));
        }
        for (final Collective collective : REDUCTIONS)
        {
            final int step = collective.hasBlocks() ? communicator.size() : 1;
            for (final long count : counts(collective, step))
            {
                bits.put(collective + " of " + count + " floats on rank " + communicator.rank(),
                    call(communicator, collective, values, count));
            }
        }
    }

    /** Counts for the longer of the two buffers. */
    private static long[] counts(final Collective collective, final int step)
    {
        return LongStream.concat(LongStream.of(step, 1000L * step), LongStream.of(DefaultTunings.boundaries(collective))
            .filter(bytes -> bytes <= LONGEST_BYTES)
            .map(bytes -> bytes / FLOAT_BYTES / step * step)
            .flatMap(count -> LongStream.of(count - step, count, count + step))).sorted().distinct().toArray();
    }

    private static byte[] call(
        final Communicator communicator, final Collective collective, final float[] values, final long count)
    {
        final int root = (int)(count % communicator.size());
        final long outCount = collective.hasBlocks() ? count / communicator.size() : count;
        try (DataBuffer input = communicator.allocate(DataType.FLOAT32, count);
            DataBuffer output = communicator.allocate(DataType.FLOAT32, outCount))
        {
            MemorySegment.copy(values, 0, input.segment(), JAVA_FLOAT, 0, (int)count);
            output.segment().fill((byte)0);
            switch (collective)
            {
                case ALLREDUCE -> communicator.allreduce(input, output, ReduceOp.SUM);
                case REDUCE -> communicator.reduce(
                    input, communicator.rank() == root ? output : null, ReduceOp.SUM, root);
                case REDUCE_SCATTER -> communicator.reduceScatter(input, output, ReduceOp.SUM);
                case SCAN -> communicator.scan(input, output, ReduceOp.SUM);
                default -> communicator.exscan(input, output, ReduceOp.SUM);
            }
            return output.segment().asSlice(0, outCount * FLOAT_BYTES).toArray(JAVA_BYTE);
        }
    }
}
