/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.wireup.Team;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Communicators created from others: their members, and their independence. */
class SplitTest
{
    private static final int SPLITS = 6;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8})
    void shouldSplitByColourAndKey(final int size)
    {
        final long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("SplitTest seed " + seed);
        try (Ranks ranks = new Ranks(size, Map.of("TUTTI_TIMEOUT", "30s")))
        {
            ranks.run(world ->
            {
                final Random random = new Random(seed);
                for (int i = 0; i < SPLITS; i++)
                {
                    splitTwice(world, random);
                }
                checkAllreduce(world);
            });
        }
    }

    /** Splits all ranks at random, and the ranks of the first colour again. */
    private static void splitTwice(final Communicator world, final Random random)
    {
        final int size = world.size();
        final int[] colors = random.ints(size, -1, 1 + (size + 1) / 2).toArray();
        final int[] keys = random.ints(size, -2, 3).toArray();
        final Communicator child = world.split(colors[world.rank()], keys[world.rank()]);
        final int[] subColors = random.ints(size, 0, 2).toArray();
        final boolean isParentFirst = random.nextBoolean();
        if (colors[world.rank()] < 0)
        {
            assertNull(child);
            return;
        }
        final List<Integer> members = members(colors, keys, colors[world.rank()]);
        assertEquals(members.size(), child.size());
        assertEquals(world.rank(), members.get(child.rank()));
        checkAllreduce(child);
        checkBroadcast(child, members);

        final Communicator grandchild = child.split(subColors[child.rank()], -child.rank());
        assertEquals(IntStream.range(0, child.size()).filter(r -> subColors[r] == subColors[child.rank()]).count(),
            grandchild.size());
        checkAllreduce(grandchild);
        if (isParentFirst)
        {
            child.close();
            grandchild.close();
        }
        else
        {
            grandchild.close();
            child.close();
        }
    }

    private static List<Integer> members(final int[] colors, final int[] keys, final int color)
    {
        return IntStream.range(0, colors.length).filter(rank -> colors[rank] == color).boxed()
            .sorted(Comparator.<Integer>comparingInt(rank -> keys[rank]).thenComparing(rank -> rank)).toList();
    }

    static void checkAllreduce(final Communicator communicator)
    {
        final int size = communicator.size();
        for (final int count : new int[]{1, 1000})
        {
            final int[] values = new int[count];
            for (int i = 0; i < count; i++)
            {
                values[i] = communicator.rank() + i;
            }
            communicator.allreduce(values, ReduceOp.SUM);
            for (int i = 0; i < count; i++)
            {
                assertEquals(size * (size - 1) / 2 + size * i, values[i]);
            }
        }
    }

    private static void checkBroadcast(final Communicator communicator, final List<Integer> members)
    {
        for (int root = 0; root < communicator.size(); root++)
        {
            final int[] value = {communicator.rank() == root ? members.get(root) : -1};
            communicator.broadcast(value, root);
            assertEquals(members.get(root), value[0]);
        }
    }

    @Test
    void shouldDuplicateACommunicator()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(world ->
            {
                try (Communicator copy = world.dup())
                {
                    assertEquals(world.rank(), copy.rank());
                    assertEquals(3, copy.size());
                    checkAllreduce(copy);
                }
                checkAllreduce(world);
            });
        }
    }

    @Test
    void shouldSplitByHost()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(world ->
            {
                try (Communicator host = world.splitByHost())
                {
                    assertEquals(world.rank(), host.rank());
                    assertEquals(3, host.size());
                    checkAllreduce(host);
                }
            });
        }
    }

    @Test
    void shouldCreateASubCommunicatorInTheGivenOrder()
    {
        try (Ranks ranks = new Ranks(4))
        {
            ranks.run(world ->
            {
                final Communicator some = world.sub(3, 0, 2);
                if (world.rank() == 1)
                {
                    assertNull(some);
                    return;
                }
                assertEquals(List.of(1, -1, 2, 0).get(world.rank()), some.rank());
                checkAllreduce(some);
                some.close();
            });
        }
    }

    @Test
    void shouldThrowWhenRanksAreInvalidAndStayUsable()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(world ->
            {
                for (final int[] wrong : new int[][]{{}, {2}, {-1}, {0, 1, 0}})
                {
                    assertThrows(IllegalArgumentException.class, () -> world.sub(wrong));
                }
                checkAllreduce(world);
            });
        }
    }

    @Test
    void shouldAcceptBuffersOfTheSameContext()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(world ->
            {
                final Communicator copy = world.dup();
                final DataBuffer ofWorld = world.allocate(DataType.INT32, 2);
                final DataBuffer ofCopy = copy.allocate(DataType.INT32, 2);
                ofWorld.segment().set(ValueLayout.JAVA_INT, 4, 1 + world.rank());
                copy.allreduce(ofWorld, ofCopy, ReduceOp.SUM);
                copy.close();
                world.allreduce(ofCopy, ReduceOp.MAX);

                assertEquals(3, ofCopy.segment().get(ValueLayout.JAVA_INT, 4));
                ofCopy.close();
                ofWorld.close();
            });
        }
    }

    @Test
    void shouldThrowWhenABufferBelongsToAnotherContext()
    {
        try (Ranks ranks = new Ranks(1); Ranks others = new Ranks(1);
            DataBuffer foreign = others.communicator(0).allocate(DataType.INT32, 2))
        {
            ranks.run(world -> assertThrows(
                IllegalArgumentException.class, () -> world.allreduce(foreign, ReduceOp.SUM)));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldServeManyThreadsConcurrently(final boolean isVirtual)
    {
        final int copies = 4;
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(world ->
            {
                final List<Communicator> communicators = new ArrayList<>();
                for (int i = 0; i < copies; i++)
                {
                    communicators.add(i % 2 == 0 ? world.dup() : communicators.get(i - 1).split(0, -world.rank()));
                }
                communicators.add(world);
                runAll(communicators, isVirtual);
            });
        }
    }

    private static void runAll(final List<Communicator> communicators, final boolean isVirtual) throws Exception
    {
        try (ExecutorService threads = isVirtual ? Executors.newVirtualThreadPerTaskExecutor() :
            Executors.newFixedThreadPool(communicators.size()))
        {
            final List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < communicators.size(); i++)
            {
                final Communicator communicator = communicators.get(i);
                final boolean isWorld = i == communicators.size() - 1;
                running.add(threads.submit(() ->
                {
                    for (int call = 0; call < 20; call++)
                    {
                        checkAllreduce(communicator);
                        communicator.barrier();
                    }
                    try (Communicator child = communicator.split(communicator.rank() % 2, 0))
                    {
                        checkAllreduce(child);
                    }
                    if (!isWorld)
                    {
                        communicator.close();
                    }
                }));
            }
            for (final Future<?> each : running)
            {
                each.get();
            }
        }
    }

    @Test
    void shouldCloseInAnyOrder()
    {
        for (int order = 0; order < 6; order++)
        {
            final int first = order / 2;
            final int step = 1 + order % 2;
            try (Ranks ranks = new Ranks(2))
            {
                ranks.run(world ->
                {
                    final Communicator child = world.dup();
                    final Communicator grandchild = child.dup();
                    final List<Communicator> all = List.of(world, child, grandchild);
                    for (int i = 0; i < 3; i++)
                    {
                        all.get((first + i * step) % 3).close();
                        for (int j = i + 1; j < 3; j++)
                        {
                            checkAllreduce(all.get((first + j * step) % 3));
                        }
                    }
                });
            }
        }
    }

    @Test
    @Timeout(30)
    void shouldCloseWhenRanksCloseInDifferentOrders()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(world ->
            {
                final List<Communicator> all = List.of(world, world.dup(), world.split(0, -world.rank()));
                for (int i = 0; i < 3; i++)
                {
                    all.get((i + world.rank()) % 3).close();
                }
            });
        }
    }

    @Test
    void shouldReleaseAllResourcesOfACommunicator()
    {
        final Map<String, String> environment = Map.of();
        try (Ranks ranks = Ranks.of(List.of(environment, environment)))
        {
            ranks.run(world ->
            {
                final Team team = ranks.team(world.rank());
                checkAllreduce(world);
                long before = -1;
                for (int i = 0; i < 20; i++)
                {
                    try (Communicator child = world.split(0, 0))
                    {
                        checkAllreduce(child);
                        assertNotNull(child);
                    }
                    final long allocated = team.pool().allocatedBytes();
                    before = before < 0 ? allocated : before;
                    assertEquals(before, allocated);
                }
            });
        }
    }
}
