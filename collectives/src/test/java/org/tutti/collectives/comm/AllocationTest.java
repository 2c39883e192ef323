/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;
import org.tutti.collectives.Window;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AllocationTest
{
    private static final int WARM_UP = 1_000;
    private static final int WINDOWS = 400;
    private static final int WINDOWS_PER_CHECK = 10;
    private static final int ROUNDS = 40;
    private static final int TENSORS = 64;

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 100_000})
    void shouldAllocateNothingPerCall(final int count)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.FLOAT32, count);
                call(communicator, buffer, count > 10_000 ? WARM_UP / 5 : WARM_UP);

                assertEquals(0, leastAllocated(communicator, () -> call(communicator, buffer, ROUNDS)));
            });
        }
    }

    /** Before long calls, ranks find out whether any of them stages the call. */
    @Test
    void shouldAllocateNothingPerLongCall()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT8, 2 << 20);
                final Runnable call = () -> communicator.allreduce(buffer, buffer, ReduceOp.MAX);
                repeat(call, WARM_UP / 30);

                assertEquals(0, leastAllocated(communicator, () -> repeat(call, 1)));
            });
        }
    }

    @Test
    void shouldAllocateNothingPerPersistentCall()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.FLOAT32, 100);
                final PersistentRequest first = communicator.allreduceInit(buffer, ReduceOp.MAX);
                final PersistentRequest second =
                    communicator.broadcastInit(communicator.allocate(DataType.FLOAT32, 100), 1);
                start(first, second, WARM_UP);

                assertEquals(0, leastAllocated(communicator, () -> start(first, second, ROUNDS)));
            });
        }
    }

    @Test
    void shouldAllocateNothingPerPersistentCallOfOtherCollectives()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final Map<String, Long> allocated = new LinkedHashMap<>();
                RequestCase.all(communicator, 1).forEach(aCase ->
                {
                    final Runnable call = aCase.init()::run;
                    repeat(call, WARM_UP);
                    allocated.put(aCase.toString(), leastAllocated(communicator, () -> repeat(call, ROUNDS)));
                });
                allocated.values().removeIf(bytes -> bytes == 0);

                assertEquals(Map.of(), allocated);
            });
        }
    }

    @Test
    void shouldAllocateNothingPerGroup()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer[] tensors = new DataBuffer[TENSORS];
                for (int i = 0; i < TENSORS; i++)
                {
                    tensors[i] = communicator.allocate(DataType.FLOAT32, 1 + 37L * i);
                }
                final Runnable calls = () -> step(communicator, tensors, 1);
                final Runnable group = () -> communicator.group(calls);
                repeat(group, WARM_UP / 30);

                assertEquals(0, leastAllocated(communicator, () -> repeat(group, ROUNDS / 10)));
            });
        }
    }

    private static void start(final PersistentRequest first, final PersistentRequest second, final int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            first.start();
            second.start();
            while (!first.test())
            {
                Thread.onSpinWait();
            }
            second.await();
        }
    }

    /** Calls with buffers of many lengths, as the tensors of a model have in each training step. */
    @Test
    void shouldAllocateNothingPerCallOfManyShapes()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer[] tensors = new DataBuffer[TENSORS];
                for (int i = 0; i < TENSORS; i++)
                {
                    tensors[i] = communicator.allocate(DataType.FLOAT32, 1 + 37L * i);
                }
                step(communicator, tensors, WARM_UP / TENSORS);

                assertEquals(0, leastAllocated(communicator, () -> step(communicator, tensors, 1)));
            });
        }
    }

    @Test
    void shouldAllocateNothingPerCallOfOtherCollectives()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer one = communicator.allocate(DataType.FLOAT32, 100);
                final DataBuffer two = communicator.allocate(DataType.FLOAT32, 200);
                final DataBuffer other = communicator.allocate(DataType.FLOAT32, 200);
                final long[] counts = communicator.rank() == 0 ? new long[] {70, 30} : new long[] {30, 70};
                final Map<String, Runnable> calls = new LinkedHashMap<>();
                calls.put("allgather", () -> communicator.allgather(one, two));
                calls.put("reduceScatter", () -> communicator.reduceScatter(two, one, ReduceOp.MAX));
                calls.put("reduce", () -> communicator.reduce(one, one, ReduceOp.MAX, 1));
                calls.put("gather", () -> communicator.gather(one, two, 0));
                calls.put("scatter", () -> communicator.scatter(two, one, 1));
                calls.put("alltoall", () -> communicator.alltoall(two, other));
                calls.put("scan", () -> communicator.scan(one, one, ReduceOp.MAX));
                calls.put("alltoallv", () -> communicator.alltoallv(two, counts, other, counts));
                final Map<String, Long> allocated = new LinkedHashMap<>();
                for (final Map.Entry<String, Runnable> call : calls.entrySet())
                {
                    repeat(call.getValue(), WARM_UP);
                    allocated.put(call.getKey(), leastAllocated(communicator, () -> repeat(call.getValue(), ROUNDS)));
                }
                allocated.values().removeIf(bytes -> bytes == 0);

                assertEquals(Map.of(), allocated);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100_000})
    void shouldAllocateNothingPerPutGetAndSignal(final int count)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer memory = communicator.allocate(DataType.FLOAT32, count);
                final DataBuffer other = communicator.allocate(DataType.FLOAT32, count);
                final int peer = 1 - communicator.rank();
                try (Window window = communicator.window(memory))
                {
                    final Runnable call = () ->
                    {
                        window.putSignal(other, 0, count, peer, 0, 1);
                        window.waitSignal(peer, 1, 1);
                        window.get(other, 0, count, peer, 0);
                        window.put(other, 0, count, peer, 0);
                        window.flush(peer);
                    };
                    repeat(call, count > 10_000 ? WARM_UP / 5 : WARM_UP);

                    assertEquals(0, leastAllocated(communicator, () -> repeat(call, ROUNDS)));
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100_000})
    void shouldAllocateNothingPerSendAndReceive(final int count)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.FLOAT32, count);
                final DataBuffer other = communicator.allocate(DataType.FLOAT32, count);
                final int peer = 1 - communicator.rank();
                final Runnable call = () ->
                {
                    if (peer == 1)
                    {
                        communicator.send(buffer, peer);
                        communicator.recv(buffer, peer);
                    }
                    else
                    {
                        communicator.recv(buffer, peer);
                        communicator.send(buffer, peer);
                    }
                    communicator.sendrecv(buffer, peer, other, peer);
                };
                repeat(call, count > 10_000 ? WARM_UP / 5 : WARM_UP);

                assertEquals(0, leastAllocated(communicator, () -> repeat(call, ROUNDS)));
            });
        }
    }

    /** The message arrives before its receive, as the barrier follows the send and precedes the receive. */
    @Test
    void shouldAllocateNothingPerUnexpectedMessage()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.FLOAT32, 100);
                final int peer = 1 - communicator.rank();
                final Runnable call = () ->
                {
                    if (peer == 0)
                    {
                        communicator.send(buffer, peer);
                    }
                    communicator.barrier();
                    if (peer == 1)
                    {
                        communicator.recv(buffer, peer);
                    }
                };
                // Connects the ranks, which needs a call of each.
                communicator.sendrecv(buffer, peer, communicator.allocate(DataType.FLOAT32, 100), peer);
                repeat(call, WARM_UP);

                assertEquals(0, leastAllocated(communicator, () -> repeat(call, ROUNDS)));
            });
        }
    }

    /** A request is an object of its own, so that programs may keep it; docs/communicators.md states these bytes. */
    @Test
    void shouldAllocateOnlyTheRequestPerNonblockingCall()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.FLOAT32, 100);
                final DataBuffer other = communicator.allocate(DataType.FLOAT32, 100);
                final int peer = 1 - communicator.rank();
                final Map<String, Runnable> calls = new LinkedHashMap<>();
                calls.put("iallreduce", () -> communicator.iallreduce(buffer, ReduceOp.MAX).await());
                calls.put("isend and irecv", () ->
                {
                    final Request receive = communicator.irecv(other, peer);
                    communicator.isend(buffer, peer).await();
                    receive.await();
                });
                final Map<String, Long> allocated = new LinkedHashMap<>();
                calls.forEach((name, call) ->
                {
                    repeat(call, WARM_UP);
                    allocated.put(name, leastAllocated(communicator, () -> repeat(call, ROUNDS)) / ROUNDS);
                });

                assertTrue(allocated.get("iallreduce") <= 200 && allocated.get("isend and irecv") <= 600,
                    allocated::toString);
            });
        }
    }

    private static void repeat(final Runnable call, final int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            call.run();
        }
    }

    /**
     * Returns the least number of bytes that this rank allocates in one of many windows, which end when all ranks have
     * allocated nothing in one of them.
     *
     * @param communicator communicator of all ranks that make the calls.
     * @param calls        calls of a window.
     */
    static long leastAllocated(final Communicator communicator, final Runnable calls)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long[] most = {Long.MAX_VALUE};
        long least = Long.MAX_VALUE;
        for (int window = 1; window <= WINDOWS && most[0] > 0; window++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            calls.run();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            if (window % WINDOWS_PER_CHECK == 0)
            {
                most[0] = least;
                communicator.allreduce(most, ReduceOp.MAX);
            }
        }
        // A call that allocates does so in every window; a first sleep, before it is compiled, only in some. Windows
        // are short, as on a busy machine a rank sleeps often.
        return least;
    }

    static void call(final Communicator communicator, final DataBuffer buffer, final int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            communicator.allreduce(buffer, ReduceOp.MAX);
            communicator.broadcast(buffer, 1);
            communicator.barrier();
        }
    }

    private static void step(final Communicator communicator, final DataBuffer[] tensors, final int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            for (final DataBuffer tensor : tensors)
            {
                communicator.allreduce(tensor, ReduceOp.MAX);
            }
        }
    }
}
