/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(120)
class GroupTest
{
    private static final int CALLS = 60;
    private static final int ROUNDS = Boolean.getBoolean("tutti.test.torture") ? 8 : 4;
    private static final ReduceOp[] OPS = {ReduceOp.SUM, ReduceOp.SUM, ReduceOp.SUM, ReduceOp.PROD, ReduceOp.AVG};

    /** Reductions whose bits depend on the order of their operands. */
    @ParameterizedTest
    @CsvSource({"1, 64K", "2, 64K", "3, 64K", "5, 64K", "3, 0", "4, 1K", "6, 1G"})
    void shouldProduceTheBitsOfSingleCalls(final int size, final String fusion)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        try (Ranks ranks = new Ranks(size, Map.of("TUTTI_FUSION", fusion)))
        {
            ranks.run(communicator ->
            {
                final Random random = new Random(seed);
                for (int round = 0; round < ROUNDS; round++)
                {
                    checkRandomGroup(communicator, random, new Random(seed + communicator.rank()));
                }
            });
        }
    }

    /**
     * Compares calls in a group with the same single calls.
     *
     * @param communicator communicator to call.
     * @param random       source of the calls, the same on all ranks.
     * @param values       source of the values of this rank.
     */
    static void checkRandomGroup(final Communicator communicator, final Random random, final Random values)
    {
        final List<DataBuffer> grouped = new ArrayList<>();
        final List<DataBuffer> single = new ArrayList<>();
        final List<Runnable> groupedCalls = new ArrayList<>();
        final List<Runnable> singleCalls = new ArrayList<>();
        int kind = 0;
        for (int i = 0; i < CALLS; i++)
        {
            kind = random.nextInt(4) == 0 ? random.nextInt(8) : kind;
            final int count = random.nextInt(40) == 0 ? random.nextInt(40_000) : random.nextInt(300);
            final boolean inPlace = random.nextBoolean();
            final DataBuffer input = filled(communicator, count, values);
            final DataBuffer copy = copy(communicator, input);
            final DataBuffer output = inPlace ? input : filled(communicator, count, values);
            final DataBuffer outputCopy = inPlace ? copy : copy(communicator, output);
            groupedCalls.add(call(communicator, kind, input, output));
            singleCalls.add(call(communicator, kind, copy, outputCopy));
            grouped.add(output);
            single.add(outputCopy);
        }
        communicator.group(() -> groupedCalls.forEach(Runnable::run));
        singleCalls.forEach(Runnable::run);
        for (int i = 0; i < CALLS; i++)
        {
            assertArrayEquals(
                single.get(i).segment().toArray(JAVA_BYTE), grouped.get(i).segment().toArray(JAVA_BYTE), "call " + i);
        }
    }

    private static Runnable call(
        final Communicator communicator, final int kind, final DataBuffer input, final DataBuffer output)
    {
        return switch (kind)
        {
            case 5 -> () -> communicator.broadcast(output, communicator.size() - 1);
            case 6 -> communicator::barrier;
            case 7 -> () -> communicator.scan(input, output, ReduceOp.SUM);
            default -> () -> communicator.allreduce(input, output, OPS[kind]);
        };
    }

    private static DataBuffer filled(final Communicator communicator, final int count, final Random values)
    {
        final DataBuffer buffer = communicator.allocate(DataType.FLOAT32, count);
        for (int i = 0; i < count; i++)
        {
            buffer.segment().setAtIndex(JAVA_FLOAT, i, (values.nextFloat() - 0.5f) * (1 << values.nextInt(20)));
        }
        return buffer;
    }

    private static DataBuffer copy(final Communicator communicator, final DataBuffer buffer)
    {
        final DataBuffer copy = communicator.allocate(buffer.type(), buffer.count());
        copy.segment().copyFrom(buffer.segment());
        return copy;
    }

    /** A rank that makes the equivalent single call matches the group. */
    @Test
    void shouldFuseAdjacentCallsOfOneKind()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer all = communicator.allocate(DataType.INT32, 96);
                for (int i = 0; i < 96; i++)
                {
                    all.segment().setAtIndex(JAVA_INT, i, i + communicator.rank());
                }
                if (communicator.rank() == 0)
                {
                    communicator.group(() ->
                    {
                        communicator.allreduce(all.slice(0, 32), ReduceOp.SUM);
                        communicator.group(() -> communicator.allreduce(all.slice(32, 50), ReduceOp.SUM));
                        communicator.allreduce(all.slice(82, 14), ReduceOp.SUM);
                        communicator.broadcast(all.slice(0, 10), 1);
                        communicator.broadcast(all.slice(10, 86), 1);
                        assertEquals(1, all.segment().getAtIndex(JAVA_INT, 1));
                    });
                }
                else
                {
                    communicator.allreduce(all, ReduceOp.SUM);
                    communicator.broadcast(all, 1);
                }
                for (int i = 0; i < 96; i++)
                {
                    assertEquals(2 * i + 1, all.segment().getAtIndex(JAVA_INT, i));
                }
            });
        }
    }

    @Test
    void shouldThrowBeforeCommunicatingWhenCallsDependOnEachOther()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer one = communicator.allocate(DataType.INT32, 20);
                final DataBuffer two = communicator.allocate(DataType.INT32, 20);
                refused("calls 0 and 1 of the group", () -> communicator.group(() ->
                {
                    communicator.allreduce(one, two, ReduceOp.SUM);
                    communicator.allreduce(two, ReduceOp.SUM);
                }));
                refused("of the group (from 0) use the same memory", () -> communicator.group(() ->
                {
                    communicator.barrier();
                    communicator.broadcast(one.slice(0, 11), 0);
                    communicator.broadcast(two, 0);
                    communicator.broadcast(one.slice(10, 10), 0);
                }), communicator.rank() == 1);
                communicator.group(() ->
                {
                    communicator.allreduce(one.slice(0, 5), two.slice(0, 5), ReduceOp.SUM);
                    communicator.allreduce(one.slice(0, 5), two.slice(5, 5), ReduceOp.SUM);
                });
            });
        }
    }

    /** The root of a broadcast writes no memory. */
    private static void refused(final String text, final Runnable group, final boolean isRefused)
    {
        if (isRefused)
        {
            refused(text, group);
        }
    }

    private static void refused(final String text, final Runnable group)
    {
        final IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, group::run);
        assertTrue(thrown.getMessage().contains(text), thrown::getMessage);
    }

    @Test
    void shouldExecuteNoCallWhenTheGroupThrows()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 8);
                if (communicator.rank() == 0)
                {
                    assertThrows(IllegalArgumentException.class, () -> communicator.group(() ->
                    {
                        communicator.barrier();
                        communicator.broadcast(buffer, 7);
                    }));
                    final DataBuffer closed = communicator.allocate(DataType.INT32, 8);
                    assertThrows(IllegalStateException.class, () -> communicator.group(() ->
                    {
                        communicator.barrier();
                        communicator.allreduce(closed, ReduceOp.SUM);
                        closed.close();
                    }));
                }
                communicator.allreduce(buffer, ReduceOp.SUM);
            });
        }
    }

    @Test
    void shouldAllowOnlyBlockingCallsOnBuffers()
    {
        try (Ranks ranks = new Ranks(1))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 8);
                final List<Runnable> others = List.of(
                    () -> communicator.allreduce(new int[4], ReduceOp.SUM),
                    () -> communicator.alltoall(new int[4], new int[4]),
                    () -> communicator.iallreduce(buffer, ReduceOp.SUM),
                    () -> communicator.barrierInit().close(),
                    () -> communicator.dup().close());
                for (final Runnable other : others)
                {
                    final String message = assertThrows(
                        IllegalStateException.class, () -> communicator.group(other)).getMessage();
                    assertTrue(message.contains("in a group"), message);
                    other.run();
                }
                communicator.group(() ->
                {
                });
            });
        }
    }

    @Test
    void shouldThrowWhenAnotherThreadIsInAGroup()
    {
        try (Ranks ranks = new Ranks(1))
        {
            ranks.run(communicator -> communicator.group(() ->
            {
                final Throwable[] thrown = new Throwable[1];
                try
                {
                    Thread.ofVirtual().start(() -> thrown[0] =
                        assertThrows(IllegalStateException.class, () -> communicator.group(communicator::barrier)))
                        .join();
                }
                catch (final InterruptedException e)
                {
                    throw new AssertionError(e);
                }
                assertTrue(thrown[0].getMessage().contains("another thread is in a group"), thrown[0]::getMessage);
            }));
        }
    }
}
