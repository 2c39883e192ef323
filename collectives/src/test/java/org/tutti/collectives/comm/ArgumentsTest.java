/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.progress.Sessions;
import org.tutti.collectives.pt2pt.MessageSession;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.staging.StagedCalls;
import org.tutti.collectives.wireup.Team;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Invalid calls are rejected before the other ranks see them: one rank makes invalid calls, and all ranks stay usable.
 */
class ArgumentsTest
{
    private static final DataType TYPE = DataType.INT32;
    private static final ReduceOp OP = ReduceOp.SUM;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    @Test
    void shouldThrowWhenAnArgumentIsNull()
    {
        runOnRankOne(communicator ->
        {
            final DataBuffer buffer = communicator.allocate(TYPE, 4);
            final MemorySegment memory = ints(4);

            refused(NullPointerException.class, "op", () -> communicator.allreduce(buffer, null));
            refused(NullPointerException.class, "op", () -> communicator.allreduce(new float[4], null));
            refused(NullPointerException.class, "op", () -> communicator.allreduce(memory, memory, 4, TYPE, null));
            refused(NullPointerException.class, "input", () -> communicator.allreduce(null, buffer, OP));
            refused(NullPointerException.class, "output", () -> communicator.allreduce(buffer, null, OP));
            refused(NullPointerException.class, "input", () -> communicator.allreduce(null, memory, 4, TYPE, OP));
            refused(NullPointerException.class, "output", () -> communicator.allreduce(memory, null, 4, TYPE, OP));
            refused(NullPointerException.class, "type", () -> communicator.allreduce(memory, memory, 4, null, OP));
            refused(NullPointerException.class, "buffer", () -> communicator.broadcast((DataBuffer)null, 0));
            refused(NullPointerException.class, "buffer", () -> communicator.broadcast(null, 4, TYPE, 0));
            refused(NullPointerException.class, "type", () -> communicator.broadcast(memory, 4, null, 0));
            refused(NullPointerException.class, "type", () -> communicator.allocate(null, 4));
            refused(NullPointerException.class, "timeout", () -> communicator.withTimeout(null));
        });
    }

    @Test
    void shouldThrowWhenAnOutputIsReadOnly()
    {
        runOnRankOne(communicator ->
        {
            final MemorySegment memory = ints(4);
            final MemorySegment readOnly = memory.asReadOnly();

            refused(IllegalArgumentException.class, "output is read-only",
                () -> communicator.allreduce(memory, readOnly, 4, TYPE, OP));
            refused(IllegalArgumentException.class, "buffer is read-only",
                () -> communicator.broadcast(readOnly, 4, TYPE, 0));
        });
    }

    @Test
    void shouldAcceptReadOnlyInputs()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final int[] values = {1, 2, 3, 4};
                final int[] sums = new int[4];
                communicator.allreduce(
                    MemorySegment.ofArray(values).asReadOnly(), MemorySegment.ofArray(sums), 4, TYPE, OP);
                assertArrayEquals(new int[] {2, 4, 6, 8}, sums);

                final MemorySegment memory = MemorySegment.ofArray(values);
                communicator.broadcast(communicator.rank() == 1 ? memory.asReadOnly() : memory, 4, TYPE, 1);
            });
        }
    }

    @Test
    void shouldThrowWhenMemoryIsConfinedToAnotherThread() throws InterruptedException
    {
        final Arena[] arenas = new Arena[1];
        final MemorySegment[] confined = new MemorySegment[1];
        final Thread owner = new Thread(() ->
        {
            arenas[0] = Arena.ofConfined();
            confined[0] = arenas[0].allocate(16);
        });
        owner.start();
        owner.join();

        runOnRankOne(communicator ->
        {
            final MemorySegment memory = ints(4);

            refused(IllegalArgumentException.class, "input is confined to a thread other than",
                () -> communicator.allreduce(confined[0], memory, 4, TYPE, OP));
            refused(IllegalArgumentException.class, "output is confined to a thread other than",
                () -> communicator.allreduce(memory, confined[0], 4, TYPE, OP));
            refused(IllegalArgumentException.class, "buffer is confined to a thread other than",
                () -> communicator.broadcast(confined[0], 4, TYPE, 0));
        });
    }

    @Test
    void shouldThrowWhenMemoryIsFreed()
    {
        runOnRankOne(communicator ->
        {
            final MemorySegment memory = ints(4);
            final MemorySegment freed;
            try (Arena arena = Arena.ofConfined())
            {
                freed = arena.allocate(16);
            }

            refused(IllegalStateException.class, "input has been freed",
                () -> communicator.allreduce(freed, memory, 4, TYPE, OP));
            refused(IllegalStateException.class, "output has been freed",
                () -> communicator.allreduce(memory, freed, 4, TYPE, OP));
            refused(IllegalStateException.class, "buffer has been freed",
                () -> communicator.broadcast(freed, 4, TYPE, 1));
        });
    }

    @Test
    void shouldThrowWhenInputAndOutputOverlapPartially()
    {
        runOnRankOne(communicator ->
        {
            final MemorySegment array = ints(8);
            try (Arena arena = Arena.ofConfined())
            {
                for (final MemorySegment memory : new MemorySegment[] {array, array.asReadOnly(), arena.allocate(32)})
                {
                    final MemorySegment output = memory.isReadOnly() ? array : memory;
                    refused(IllegalArgumentException.class, "overlap partially",
                        () -> communicator.allreduce(memory, output.asSlice(4), 4, TYPE, OP));
                    refused(IllegalArgumentException.class, "overlap partially",
                        () -> communicator.allreduce(memory.asSlice(12), output, 4, TYPE, OP));
                }
            }
        });
    }

    @Test
    void shouldAcceptAdjacentHalvesOfOneArray()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final int[] values = {1, 2, 3, 4, 0, 0, 0, 0};
                final MemorySegment memory = MemorySegment.ofArray(values);

                communicator.allreduce(memory, memory.asSlice(16), 4, TYPE, OP);
                assertArrayEquals(new int[] {1, 2, 3, 4, 2, 4, 6, 8}, values);

                communicator.allreduce(memory, memory.asSlice(4), 1, TYPE, OP);
                assertArrayEquals(new int[] {1, 2, 3, 4, 2, 4, 6, 8}, values);

                communicator.allreduce(memory, memory.asSlice(4), 0, TYPE, OP);
                assertEquals(2, values[1]);
            });
        }
    }

    @Test
    void shouldAcceptTimeoutsOfAnyLength()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator -> communicator.withTimeout(ChronoUnit.FOREVER.getDuration()).barrier());
            ranks.run(communicator ->
            {
                refused(IllegalArgumentException.class, "timeout=", () -> communicator.withTimeout(Duration.ZERO));
                refused(
                    IllegalArgumentException.class, "timeout=",
                    () -> communicator.withTimeout(Duration.ofNanos(-1)));
            });
        }
    }

    /** Inputs are multiplied before the schedule begins: they must be checked before that. */
    @Test
    void shouldThrowWhenPremulSumReadsASliceOfAClosedBuffer()
    {
        runOnRankOne(communicator ->
        {
            final DataBuffer whole = communicator.allocate(DataType.FLOAT32, 4);
            final DataBuffer slice = whole.slice(0, 2);
            whole.close();

            assertThrows(IllegalStateException.class, () -> communicator.allreduce(slice, ReduceOp.premulSum(2)));
            assertThrows(IllegalStateException.class,
                () -> communicator.iallreduce(slice, slice, ReduceOp.premulSum(2)));
        });
    }

    /** The checks before a call cannot detect memory that is freed during the call. */
    @Test
    void shouldFailTheCommunicatorWhenResultsCannotBeWrittenAfterOthersBegan()
    {
        final EngineConfiguration configuration = EngineConfiguration.of(Map.of());
        final Session session = new Session(
            Team.connect(InMemoryBootstrap.group(1).getFirst(), configuration), new Sessions(), MessageSession::new);
        try (Communicator owner = new EngineCommunicator(session, configuration.timeoutNs()))
        {
            assertEquals(1, owner.size());
            final CollectiveException thrown =
                assertThrows(CollectiveException.class, () -> stage(session, ints(4).asReadOnly()));

            assertTrue(thrown.getMessage().contains("allreduce(4 × int"), thrown::getMessage);
            final CollectiveException again =
                assertThrows(CollectiveException.class, () -> stage(session, ints(4)));
            assertTrue(again.getMessage().contains("has failed"), again::getMessage);
        }
    }

    private static void stage(final Session session, final MemorySegment output)
    {
        final CollectiveCall call = session.take(Collective.ALLREDUCE, TIMEOUT_NS);
        try
        {
            session.enterTaken(TIMEOUT_NS);
            new StagedCalls(session).run(call.segments(ints(4), output, 4, TYPE).op(OP));
        }
        finally
        {
            session.leave();
        }
    }

    private static void runOnRankOne(final Ranks.Body body)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 1)
                {
                    body.run(communicator);
                }
                assertStillWorks(communicator);
            });
        }
    }

    private static void assertStillWorks(final Communicator communicator)
    {
        final int[] ranks = {communicator.rank()};
        communicator.allreduce(ranks, OP);
        assertEquals(1, ranks[0]);
    }

    private static MemorySegment ints(final int count)
    {
        return MemorySegment.ofArray(new int[count]);
    }

    private static void refused(final Class<? extends Exception> type, final String text, final Executable call)
    {
        final Exception thrown = assertThrows(type, call);
        assertTrue(thrown.getMessage().contains(text), thrown::getMessage);
    }
}
