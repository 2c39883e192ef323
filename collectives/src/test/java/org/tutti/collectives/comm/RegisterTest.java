/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.MessageStatus;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Buffers on memory of the caller. */
class RegisterTest
{
    private static final DataType TYPE = DataType.INT32;
    private static final ReduceOp OP = ReduceOp.SUM;
    private static final long LONG = (1 << 18) + 7;
    private static final int CALLS = 150;

    /** All collectives as requests, on buffers of the caller that peers cannot access. */
    @ParameterizedTest
    @EnumSource(value = CallForm.class)
    void shouldComputeRandomCallsInAllForms(final CallForm form)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final Random random = new Random(seed);
                final Random own = new Random(seed + communicator.rank());
                for (int call = 0; call < CALLS; call++)
                {
                    final MemoryForm memory = MemoryForm.values()[own.nextInt(MemoryForm.NATIVE.ordinal())];
                    CollectivesTest.checkRandom(form.of(memory.of(communicator)), random, call);
                }
            });
        }
    }

    @Test
    void shouldReduceInTheCallersMemory()
    {
        try (Ranks ranks = new Ranks(2); Arena arena = Arena.ofShared())
        {
            ranks.run(communicator ->
            {
                for (final long count : new long[] {0, 1, 100, LONG})
                {
                    final MemorySegment memory = arena.allocate(TYPE.size() * Math.max(1, count), TYPE.size())
                        .asSlice(0, TYPE.size() * count);
                    memory.fill((byte)1);
                    try (DataBuffer buffer = communicator.register(TYPE, memory))
                    {
                        communicator.allreduce(buffer, buffer, OP);
                        assertEquals(memory.address(), buffer.segment().address());
                        assertEquals(count, buffer.count());
                        requireAll(0x02020202, buffer);

                        final DataBuffer half = buffer.slice(count / 2, count - count / 2);
                        communicator.iallreduce(half, half, OP).await();
                        requireAll(0x04040404, half);
                        requireAll(0x02020202, buffer.slice(0, count / 2));
                    }
                }
            });
        }
    }

    private static void requireAll(final int expected, final DataBuffer buffer)
    {
        for (long i = 0; i < buffer.count(); i++)
        {
            if (buffer.segment().getAtIndex(JAVA_INT, i) != expected)
            {
                assertEquals(expected, buffer.segment().getAtIndex(JAVA_INT, i), "element " + i);
            }
        }
    }

    @Test
    void shouldRepeatPersistentCallsSendAndGroupInTheCallersMemory()
    {
        try (Ranks ranks = new Ranks(2); Arena arena = Arena.ofShared())
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                final DataBuffer one = communicator.register(TYPE, arena.allocate(JAVA_INT, 1000));
                final DataBuffer other = communicator.register(TYPE, arena.allocate(JAVA_INT, 1000));
                one.segment().fill((byte)(rank + 1));
                try (PersistentRequest request = communicator.allreduceInit(one, other, OP))
                {
                    request.run();
                    requireAll(0x03030303, other);
                    one.segment().fill((byte)(2 * rank + 2));
                    request.start();
                    request.await();
                    requireAll(0x06060606, other);
                }

                final MessageStatus status = new MessageStatus();
                communicator.sendrecv(one, 1 - rank, 3, other, 1 - rank, 3, status);
                assertEquals(1000, status.count());
                requireAll(rank == 0 ? 0x04040404 : 0x02020202, other);
                other.segment().fill((byte)0);
                final Request receive = communicator.irecv(other, 1 - rank, 4);
                communicator.isend(one, 1 - rank, 4).await();
                receive.await();
                requireAll(rank == 0 ? 0x04040404 : 0x02020202, other);

                communicator.group(() ->
                {
                    communicator.allreduce(one, one, OP);
                    communicator.allreduce(other, other, OP);
                });
                requireAll(0x06060606, one);
                requireAll(0x06060606, other);
                one.close();
                other.close();
            });
        }
    }

    @Test
    void shouldAllocateMemoryThatPeersAccess()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final Arena arena = Arena.ofConfined();
                final MemorySegment memory = communicator.allocator(arena).allocate(12, 4096);
                assertEquals(0, memory.address() % 4096);
                assertEquals(12, memory.byteSize());
                assertEquals(-1, memory.mismatch(MemorySegment.ofArray(new byte[12])));
                arena.close();

                final MemorySegment shared = communicator.allocator().allocate(JAVA_INT, 10);
                final int rank = communicator.rank();
                try (DataBuffer buffer = communicator.register(TYPE, shared);
                    org.tutti.collectives.Window window = communicator.window(buffer, 1))
                {
                    shared.fill((byte)(rank + 1));
                    communicator.barrier();
                    try (DataBuffer got = communicator.allocate(TYPE, 10))
                    {
                        window.get(got, 0, 10, 1 - rank, 0);
                        window.flush(1 - rank);
                        requireAll(rank == 0 ? 0x02020202 : 0x01010101, got);
                    }
                    communicator.barrier();
                }
            });
        }
    }

    /** The memory of an allocator returns to the pool with its arena. */
    @Test
    void shouldReuseMemoryWhenAnArenaIsClosed()
    {
        try (Ranks ranks = new Ranks(1))
        {
            final Communicator communicator = ranks.communicator(0);
            long address = 0;
            for (int i = 0; i < 100; i++)
            {
                try (Arena arena = Arena.ofConfined())
                {
                    final MemorySegment memory = communicator.allocator(arena).allocate(4 << 20);
                    assertTrue(i == 0 || address == memory.address(), "moved");
                    address = memory.address();
                }
            }
        }
    }

    /** A program may read results after it has closed the communicators. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldKeepMemoryOfAnAllocatorWhenAllCommunicatorsAreClosed(final String transports)
    {
        final int count = 1 << 20;
        final MemorySegment[] results = new MemorySegment[2];
        final long[] sums = new long[2];
        try (Arena arena = Arena.ofShared())
        {
            try (Ranks ranks = new Ranks(2, Map.of("TUTTI_TRANSPORT", transports)))
            {
                ranks.run(communicator ->
                {
                    final MemorySegment memory = communicator.allocator(arena).allocate(JAVA_INT, count);
                    memory.fill((byte)(communicator.rank() + 1));
                    // Not closed: the communicator closes it.
                    communicator.allreduce(communicator.register(TYPE, memory), OP);
                    results[communicator.rank()] = memory;
                });
            }
            for (int rank = 0; rank < results.length; rank++)
            {
                results[rank].setAtIndex(JAVA_INT, 0, 0);
                for (int i = 0; i < count; i++)
                {
                    sums[rank] += results[rank].getAtIndex(JAVA_INT, i);
                }
            }
        }
        assertArrayEquals(new long[] {(count - 1L) * 0x03030303, (count - 1L) * 0x03030303}, sums);
    }

    /** The memory of an arena that is closed early belongs to the buffer until that is closed. */
    @Test
    void shouldNotReuseMemoryOfAClosedArenaWhileABufferIsOnIt()
    {
        try (Ranks ranks = new Ranks(1))
        {
            final Communicator communicator = ranks.communicator(0);
            final Arena arena = Arena.ofShared();
            final MemorySegment memory = communicator.allocator(arena).allocate(JAVA_INT, 1000);
            final DataBuffer buffer = communicator.register(TYPE, memory);
            final long address = memory.address();
            arena.close();
            try (DataBuffer other = communicator.allocate(TYPE, 1000))
            {
                assertNotEquals(address, other.segment().address());
            }
            buffer.close();
            try (DataBuffer other = communicator.allocate(TYPE, 1000))
            {
                assertEquals(address, other.segment().address());
            }
        }
    }

    @Test
    void shouldRefuseMemoryThatCannotBeRegistered()
    {
        try (Ranks ranks = new Ranks(2); Arena shared = Arena.ofShared())
        {
            ranks.run(communicator ->
            {
                refused("segment is on the Java heap",
                    () -> communicator.register(TYPE, MemorySegment.ofArray(new int[4])));
                try (Arena confined = Arena.ofConfined())
                {
                    refused("segment is confined to a thread: allocate it in a shared arena",
                        () -> communicator.register(TYPE, confined.allocate(8)));
                }
                refused("segment is read-only", () -> communicator.register(TYPE, shared.allocate(8).asReadOnly()));
                refused("segment has 6 bytes: must be a multiple of 4, the size of INT32",
                    () -> communicator.register(TYPE, shared.allocate(6)));
                final Arena closed = Arena.ofShared();
                final MemorySegment freed = closed.allocate(8);
                closed.close();
                final IllegalStateException thrown =
                    assertThrows(IllegalStateException.class, () -> communicator.register(TYPE, freed));
                assertTrue(thrown.getMessage().contains("segment has been freed"), thrown::getMessage);
                final DataBuffer unreachable = communicator.register(TYPE, shared.allocate(8));
                refused("memory is memory that ranks of this host cannot access",
                    () -> communicator.window(unreachable, 1));
                communicator.barrier();
            });
        }
    }

    private static void refused(final String text, final Executable call)
    {
        final IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, call);
        assertTrue(thrown.getMessage().contains(text), thrown::getMessage);
    }

    @Test
    void shouldThrowBeforeTheCallWhenTheArenaIsClosed()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final Arena arena = Arena.ofShared();
                final DataBuffer buffer = communicator.register(TYPE, arena.allocate(64));
                final PersistentRequest request = communicator.allreduceInit(buffer, buffer, OP);
                arena.close();
                for (final Executable call : List.<Executable>of(
                    () -> communicator.allreduce(buffer, buffer, OP),
                    () -> communicator.iallreduce(buffer, buffer, OP),
                    () -> communicator.send(buffer, 1 - communicator.rank(), 0),
                    buffer::segment))
                {
                    final IllegalStateException thrown = assertThrows(IllegalStateException.class, call);
                    assertTrue(thrown.getMessage().contains("has been freed"), thrown::getMessage);
                }
                request.close();
                buffer.close();
                communicator.barrier();
            });
        }
    }

    /** Rank 1 frees its memory while its request waits for rank 0. */
    @Test
    void shouldFailTheCallWhenTheArenaIsClosedMeanwhile()
    {
        final CountDownLatch freed = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Arena arena = Arena.ofShared();
                final DataBuffer buffer = communicator.register(TYPE, arena.allocate(40_000));
                if (communicator.rank() == 0)
                {
                    freed.await();
                    communicator.allreduce(buffer, buffer, OP);
                    communicator.barrier();
                    return;
                }
                final Request request = communicator.iallreduce(buffer, buffer, OP);
                arena.close();
                freed.countDown();
                request.await();
            });

            final CollectiveException failure = assertInstanceOf(CollectiveException.class, thrown.get(1));
            assertTrue(failure.getMessage().contains("has been freed"), failure::getMessage);
            assertInstanceOf(CollectiveException.class, thrown.get(0));
        }
    }

    /** The operation frees the memory that the blocking call has yet to copy. */
    @Test
    void shouldNameFreedMemoryOfABlockingCall()
    {
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Arena arena = Arena.ofShared();
                final MemorySegment output = arena.allocate(4000);
                final ReduceOp freeing = ReduceOp.ofSegments("freeing", (left, right, results, count) ->
                {
                    if (output.scope().isAlive())
                    {
                        arena.close();
                    }
                });
                communicator.allreduce(MemorySegment.ofArray(new int[1000]), output, 1000, TYPE, freeing);
            });

            assertTrue(thrown.stream().anyMatch(failure -> failure instanceof CollectiveException &&
                failure.getMessage().contains("output was freed during the call")), thrown::toString);
        }
    }

    @Test
    void shouldRefuseASliceOfAClosedBuffer()
    {
        try (Ranks ranks = new Ranks(1); Arena arena = Arena.ofShared())
        {
            final Communicator communicator = ranks.communicator(0);
            final DataBuffer buffer = communicator.register(TYPE, arena.allocate(64));
            final DataBuffer slice = buffer.slice(0, 2);
            buffer.close();
            for (final Executable call : List.<Executable>of(
                () -> communicator.allreduce(slice, slice, OP), () -> communicator.iallreduce(slice, slice, OP)))
            {
                final IllegalStateException thrown = assertThrows(IllegalStateException.class, call);
                assertTrue(thrown.getMessage().contains("the buffer is closed"), thrown::getMessage);
            }
        }
    }

    @Test
    void shouldRefuseToCloseABufferInUse()
    {
        try (Ranks ranks = new Ranks(1); Arena arena = Arena.ofShared())
        {
            final Communicator communicator = ranks.communicator(0);
            final DataBuffer buffer = communicator.register(TYPE, arena.allocate(64));
            final PersistentRequest request = communicator.allreduceInit(buffer, buffer, OP);
            final IllegalStateException thrown = assertThrows(IllegalStateException.class, buffer::close);
            assertTrue(thrown.getMessage().contains("in use"), thrown::getMessage);
            request.close();
            buffer.close();
        }
    }
}
