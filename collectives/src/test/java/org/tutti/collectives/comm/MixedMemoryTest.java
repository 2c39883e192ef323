/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.schedule.Collective;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The kind of memory is a rank's own affair: ranks mix all kinds in one call. */
class MixedMemoryTest
{
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    private static final int CALLS = IS_TORTURE ? 6 : 3;
    private static final int ALL_KINDS = MemoryForm.values().length;
    /** Difference of the numbers of successive mixes, if not all are tried. Prime to the number of kinds. */
    private static final int STEP = IS_TORTURE ? 4 : 8;

    /** Each rank chooses its memory for each call. Short and long calls, with a last segment of any length. */
    @ParameterizedTest
    @EnumSource(value = Collective.class,
        names = {"ALLREDUCE", "BROADCAST", "BARRIER", "GATHERV", "SCATTERV", "ALLTOALLV"},
        mode = EnumSource.Mode.EXCLUDE)
    void shouldComputeCallsWhenRanksMixKindsOfMemory(final Collective collective)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        for (final int size : new int[] {2, 3})
        {
            try (Ranks ranks = new Ranks(size))
            {
                ranks.run(communicator -> checkCalls(communicator, collective, seed));
            }
        }
    }

    private static void checkCalls(final Communicator communicator, final Collective collective, final long seed)
    {
        final Random random = new Random(seed);
        final Random own = new Random(seed + communicator.rank() + 1);
        for (int call = 0; call < CALLS; call++)
        {
            final MemoryForm memory = MemoryForm.values()[own.nextInt(ALL_KINDS)];
            final int root = collective.hasRoot() ? random.nextInt(communicator.size()) : 0;
            final boolean inPlace = random.nextBoolean();
            final long longest = random.nextInt(3) * (1L << 20) + random.nextInt(1000);
            final long count = longest / Long.BYTES / (collective.hasBlocks() ? communicator.size() : 1);
            final CollectiveCase aCase =
                new CollectiveCase(memory.of(communicator), collective, root, call);
            if (collective.hasGlobalCounts() && random.nextBoolean())
            {
                final long[] counts = random.longs(communicator.size(), 0, 2 * count + 1).toArray();
                if (random.nextBoolean())
                {
                    Arrays.fill(counts, count);
                }
                aCase.checkUneven(counts, null, inPlace);
            }
            else
            {
                aCase.check(count, inPlace);
            }
        }
    }

    /**
     * Every mix on two ranks, and some of the others, around the length from which calls are divided; at that length
     * some mixes.
     */
    @ParameterizedTest
    @CsvSource({"1, 2", "1, 3", "0, 2"})
    void shouldReduceToTheSameResultForEveryMixOfMemory(final String isDirect, final int size)
    {
        final int whole = (isDirect.equals("1") ? 1 << 20 : 8 << 20) / Integer.BYTES;
        final boolean isAll = size == 2 && isDirect.equals("1");
        final List<Integer> few = List.of(1, whole + 1);
        final List<Integer> all = isAll || (IS_TORTURE && size == 2) ? List.of(0, 1, whole, whole + 13) : few;
        try (Ranks ranks = new Ranks(size, Map.of("TUTTI_DIRECT", isDirect)))
        {
            ranks.run(communicator ->
            {
                for (int mix = 0; mix < Math.powExact(ALL_KINDS, size); mix += isAll ? 1 : STEP)
                {
                    final int kind = mix / Math.powExact(ALL_KINDS, communicator.rank()) % ALL_KINDS;
                    final Communicator own = MemoryForm.values()[kind].of(communicator);
                    for (final int count : IS_TORTURE || mix % STEP == 0 ? all : few)
                    {
                        checkAllreduce(own, count, mix);
                        checkBroadcast(own, count, mix % size);
                    }
                }
            });
        }
    }

    private static void checkAllreduce(final Communicator communicator, final int count, final int salt)
    {
        final int size = communicator.size();
        try (DataBuffer input = communicator.allocate(DataType.INT32, count);
            DataBuffer output = communicator.allocate(DataType.INT32, count))
        {
            for (int i = 0; i < count; i++)
            {
                input.segment().setAtIndex(JAVA_INT, i, i + communicator.rank() * salt);
            }
            communicator.allreduce(input, output, ReduceOp.SUM);
            for (int i = 0; i < count; i++)
            {
                final int sum = size * i + salt * size * (size - 1) / 2;
                if (output.segment().getAtIndex(JAVA_INT, i) != sum)
                {
                    assertEquals(sum, output.segment().getAtIndex(JAVA_INT, i),
                        "element " + i + " of " + count + ", mix " + salt);
                }
            }
        }
    }

    private static void checkBroadcast(final Communicator communicator, final int count, final int root)
    {
        try (DataBuffer buffer = communicator.allocate(DataType.INT32, count))
        {
            for (int i = 0; i < count && communicator.rank() == root; i++)
            {
                buffer.segment().setAtIndex(JAVA_INT, i, 3 * i + root);
            }
            communicator.broadcast(buffer, root);
            for (int i = 0; i < count; i++)
            {
                if (buffer.segment().getAtIndex(JAVA_INT, i) != 3 * i + root)
                {
                    assertEquals(3 * i + root, buffer.segment().getAtIndex(JAVA_INT, i),
                        "element " + i + " of " + count + ", root " + root);
                }
            }
        }
    }

    /** A long blocking call on one rank and a request on the other: refused with what to do. */
    @Test
    void shouldNameTheFormsWhenALongCallIsARequestOnOneRankOnly()
    {
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT64, 1_000_000);
                if (communicator.rank() == 0)
                {
                    communicator.allreduce(buffer, buffer, ReduceOp.SUM);
                }
                else
                {
                    communicator.iallreduce(buffer, buffer, ReduceOp.SUM).await();
                }
            });

            assertTrue(thrown.stream().allMatch(failure -> failure != null && failure.getMessage().contains(
                "both called allreduce(1000000 × int64, sum), but one of them in a request or a group")),
                thrown::toString);
        }
    }
}
