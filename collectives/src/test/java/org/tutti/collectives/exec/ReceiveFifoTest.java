/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.comm.Ranks;
import org.tutti.collectives.endpoint.Endpoint;
import org.tutti.collectives.endpoint.Immediate;
import org.tutti.collectives.endpoint.ReceiveFifo;
import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ReceiveFifoTest
{
    private static final int LAPS = 500;

    @Test
    void shouldTakeMessagesInOrderAndRefuseMoreThanTheFifoHolds()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            ranks.run(Communicator::barrier);
            final Endpoint sender = ranks.team(0).connections()[1].endpoint();
            final ReceiveFifo fifo = ranks.team(1).connections()[0].fifo();
            assertTrue(sender.isDirect());

            for (int lap = 0; lap < 3; lap++)
            {
                final List<Integer> sent = new ArrayList<>();
                while (sender.canSend())
                {
                    sent.add(1000 * lap + sent.size());
                    sender.signal(sent.getLast(), 0);
                }
                final List<Integer> taken = new ArrayList<>();
                while (fifo.take(0))
                {
                    taken.add(fifo.immediate());
                }

                assertEquals(sent, taken);
                assertTrue(sent.size() > ReceiveFifo.LINES / 2);
            }
        }
    }

    @Test
    void shouldCopyPayloadToDestinationOnly()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            ranks.run(Communicator::barrier);
            final Endpoint sender = ranks.team(0).connections()[1].endpoint();
            final ReceiveFifo fifo = ranks.team(1).connections()[0].fifo();
            final RegisteredBuffer scratch = ranks.team(1).memory().scratch();
            final UnsafeBuffer target = scratch.buffer(0, 256);
            final RegisteredBuffer own = ranks.team(0).memory().scratch();
            final UnsafeBuffer source = own.buffer(0, 256);
            for (int i = 0; i < source.capacity(); i++)
            {
                source.putByte(i, (byte)(i + 1));
            }

            for (int length = 0; length <= 100; length++)
            {
                target.setMemory(0, target.capacity(), (byte)0);
                assertTrue(sender.putWithImmediate(source.addressOffset() + 3, own.lkey(), length,
                    scratch.address() + 8, scratch.rkey(), length, 0, false));
                assertTrue(fifo.take(0));

                assertEquals(length, fifo.immediate());
                for (int i = 0; i < target.capacity(); i++)
                {
                    assertEquals(i < 8 || i >= 8 + length ? 0 : (byte)(i - 8 + 4), target.getByte(i), "byte " + i);
                }
            }
        }
    }

    /** For any length, and any position of the end of the buffer. */
    @Test
    void shouldKeepPayloadUntilItIsTaken()
    {
        final long seed = System.nanoTime();
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            ranks.run(Communicator::barrier);
            final Endpoint sender = ranks.team(0).connections()[1].endpoint();
            final ReceiveFifo fifo = ranks.team(1).connections()[0].fifo();
            final RegisteredBuffer scratch = ranks.team(1).memory().scratch();
            final UnsafeBuffer target = scratch.buffer(0, ReceiveFifo.MAX_PAYLOAD);
            final UnsafeBuffer source = ranks.team(0).memory().scratch().buffer(0, ReceiveFifo.MAX_PAYLOAD);
            final UnsafeBuffer expected = new UnsafeBuffer(new byte[ReceiveFifo.MAX_PAYLOAD]);
            final Deque<Integer> lengths = new ArrayDeque<>();
            int sent = 0;
            for (int lap = 0; lap < LAPS; lap++)
            {
                for (int most = 1 + random.nextInt(ReceiveFifo.MAX_PAYLOAD); sender.canSend(); sent++)
                {
                    final int length = 1 + random.nextInt(most);
                    source.setMemory(0, length, (byte)sent);
                    sender.sendEager(source.addressOffset(), length, scratch.address(), sent, 0);
                    lengths.add(length);
                }
                final int left = lap == LAPS - 1 ? 0 : random.nextInt(lengths.size());
                while (lengths.size() > left)
                {
                    final int number = sent - lengths.size();
                    final int length = lengths.remove();
                    target.setMemory(0, target.capacity(), (byte)~number);
                    assertTrue(fifo.take(0));
                    assertEquals(number, fifo.immediate());
                    expected.setMemory(0, length, (byte)number);
                    expected.setMemory(length, expected.capacity() - length, (byte)~number);
                    assertEquals(0, expected.compareTo(target), () -> "message " + number + " of " + length + " bytes");
                }
            }
        }
    }

    /** The payload looks like the number of a future message. */
    @Test
    void shouldCarryAnyLengthAndNotMistakePayloadForAMessage()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            ranks.run(Communicator::barrier);
            final Endpoint sender = ranks.team(0).connections()[1].endpoint();
            final ReceiveFifo fifo = ranks.team(1).connections()[0].fifo();
            final RegisteredBuffer scratch = ranks.team(1).memory().scratch();
            final UnsafeBuffer target = scratch.buffer(0, ReceiveFifo.MAX_PAYLOAD + 16);
            final UnsafeBuffer source = ranks.team(0).memory().scratch().buffer(0, ReceiveFifo.MAX_PAYLOAD);

            for (int length = 1; length <= ReceiveFifo.MAX_PAYLOAD; length++)
            {
                target.setMemory(0, target.capacity(), (byte)-1);
                for (int i = 0; i + Integer.BYTES <= source.capacity(); i += Integer.BYTES)
                {
                    source.putInt(i, 10 * length + i);
                }
                while (!sender.canSend())
                {
                    assertFalse(fifo.take(0), "there is no message");
                }
                sender.sendEager(source.addressOffset(), length, scratch.address() + 8, length, 0);

                assertTrue(fifo.take(0));
                assertFalse(fifo.take(0), "one message, of " + length + " bytes");
                assertEquals(length, fifo.immediate());
                for (int i = 0; i < target.capacity(); i++)
                {
                    assertEquals(i < 8 || i >= 8 + length ? -1 : source.getByte(i - 8), target.getByte(i), "byte " + i);
                }
            }
        }
    }

    @Test
    void shouldKeepMessagesOfLaterRounds()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            ranks.run(Communicator::barrier);
            final Endpoint sender = ranks.team(0).connections()[1].endpoint();
            final ReceiveFifo fifo = ranks.team(1).connections()[0].fifo();
            final int close = Immediate.ofClose(4);
            for (int round = Integer.MAX_VALUE - 1; round != Integer.MIN_VALUE + 2; round++)
            {
                sender.signal(round & 0xFF, round);
            }
            final int ready = Immediate.of(Immediate.READY_CHANNEL, Integer.MIN_VALUE + 256, 0);
            sender.signal(ready, Integer.MIN_VALUE + 256);
            sender.signal(close, 0);

            for (int round = Integer.MAX_VALUE - 3; round != Integer.MIN_VALUE + 1; round++)
            {
                assertEquals(round >= Integer.MAX_VALUE - 1 || round < 0, fifo.take(round), "in round " + round);
                assertFalse(fifo.take(round), "in round " + round);
            }
            assertTrue(fifo.take(Integer.MIN_VALUE + 1));
            assertFalse(fifo.take(Integer.MIN_VALUE + 255), "a READY whose round matches in eight bits only");
            assertTrue(fifo.take(Integer.MIN_VALUE + 256));
            assertEquals(ready, fifo.immediate());
            assertTrue(fifo.take(Integer.MIN_VALUE + 1), "a message without a round is taken at once");
            assertEquals(close, fifo.immediate());
        }
    }

    @Test
    void shouldNotReachMemoryBeyondRegisteredRegion()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            ranks.run(Communicator::barrier);
            final Endpoint sender = ranks.team(0).connections()[1].endpoint();
            final RegisteredBuffer scratch = ranks.team(1).memory().scratch();

            assertNotEquals(0, sender.reach(scratch.address(), scratch.length(), scratch.rkey()));
            assertEquals(0, sender.reach(scratch.address(), 1L << 40, scratch.rkey()));
            assertEquals(0, sender.reach(scratch.address() - (1L << 40), 8, scratch.rkey()));
            assertEquals(0, sender.reach(scratch.address(), 8, scratch.rkey() ^ 1 << 14));
            assertEquals(
                sender.reach(scratch.address(), 8, scratch.rkey()) + scratch.length() - 8,
                sender.reach(scratch.address() + scratch.length() - 8, 8, scratch.rkey()));
        }
    }

    /** An access to unmapped memory would terminate the process. */
    @Test
    void shouldCopyToAndFromPeerWhenItHasFreedItsMemory()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            ranks.run(Communicator::barrier);
            final Team team = ranks.team(0);
            final Endpoint sender = team.connections()[1].endpoint();
            final RegisteredBuffer target = ranks.team(1).memory().scratch();
            final long address = target.address();
            final long length = target.length() / 2;
            final int rkey = target.rkey();
            final long inReach = sender.reach(address, length, rkey);
            final Communicator leaving = ranks.communicator(1);
            assertThrows(CollectiveTimeoutException.class,
                () -> leaving.withTimeout(Duration.ofMillis(1)).barrier());

            leaving.close();

            final RegisteredBuffer own = team.memory().scratch();
            own.buffer(0, 8).putLong(0, 4711);
            for (int i = 0; i < ReceiveFifo.LINES && sender.canSend(); i++)
            {
                assertTrue(sender.putWithImmediate(
                    own.address(), own.lkey(), (int)length, address, rkey, i, 0, false));
            }
            assertEquals(inReach, sender.reach(address, length, rkey));
            assertEquals(4711, MemorySegment.ofAddress(inReach).reinterpret(8).get(ValueLayout.JAVA_LONG, 0));
            assertThrows(CollectiveException.class, () -> ranks.communicator(0).barrier());
        }
    }

    /** The caller may write to memory that others read. */
    @Test
    void shouldFailReadersWhenARankHasGivenUp()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            ranks.run(Communicator::barrier);
            final PeerInputs inputs = new PeerInputs(ranks.team(0), new Diagnosis(ranks.team(0)));
            inputs.requireRead(0, 1);
            final Communicator late = ranks.communicator(1);

            assertThrows(CollectiveTimeoutException.class, () -> late.withTimeout(Duration.ofMillis(1)).barrier());

            final CollectiveException thrown =
                assertThrows(CollectiveException.class, () -> inputs.requireRead(0, 1));
            assertTrue(thrown.getMessage().contains("rank 1"), thrown.getMessage());
        }
    }

    /** Peers store into it without synchronization. */
    @Test
    void shouldNotReuseMemoryThatPeersMayStoreInto()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            ranks.run(communicator ->
            {
                communicator.barrier();
                communicator.dup();
            });
            final RegisteredMemoryPool pool = ranks.team(1).pool();
            final long fifo = ranks.team(1).connections()[0].fifo().memory().address();
            final Communicator leaving = ranks.communicator(1);
            assertThrows(CollectiveTimeoutException.class,
                () -> leaving.withTimeout(Duration.ofMillis(1)).barrier());

            leaving.close();

            final List<RegisteredBuffer> later = new ArrayList<>();
            for (int i = 0; i < 1000; i++)
            {
                later.add(pool.allocate(ReceiveFifo.LENGTH));
                final long distance = Math.abs(later.getLast().address() - fifo);
                assertTrue(distance >= ReceiveFifo.LENGTH, () -> "memory reused, at a distance of " + distance);
            }
            later.forEach(RegisteredBuffer::close);
        }
    }

    /** Not only the second send, which would be eager: the connecting rank sends the first separately. */
    @Test
    void shouldSendByQueuePairWhenReceiveFifoCannotBeMapped()
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);
        try (Ranks ranks = new Ranks(
            List.of(withOtherMailboxKeys(group.get(0)), group.get(1)), List.of(Map.of(), Map.of())))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 1)
                {
                    communicator.send(new int[] {7}, 0);
                }
                else
                {
                    final int[] got = new int[1];
                    communicator.recv(got, 1);
                    assertEquals(7, got[0]);
                }
            });
        }
    }

    /** A rank whose receive FIFOs no peer can map, as if its mappings were exhausted. */
    private static Bootstrap withOtherMailboxKeys(final Bootstrap bootstrap)
    {
        return (Bootstrap)Proxy.newProxyInstance(
            ReceiveFifoTest.class.getClassLoader(), new Class<?>[] {Bootstrap.class}, (proxy, method, arguments) ->
            {
                if (method.getName().equals("putAsync") && ((String)arguments[0]).contains("qp/"))
                {
                    final byte[] record = (byte[])arguments[1];
                    record[record.length - 1]++;
                }
                try
                {
                    return method.invoke(bootstrap, arguments);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }

    @Test
    void shouldSendOverQueuePairsWhenDirectIsDisabled()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of("TUTTI_DIRECT", "0"), Map.of("TUTTI_DIRECT", "0"))))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 100_000);
                for (int call = 0; call < 20; call++)
                {
                    buffer.segment().setAtIndex(ValueLayout.JAVA_INT, 77_777, communicator.rank());
                    communicator.barrier();
                    communicator.broadcast(buffer, call % 2);
                    assertEquals(call % 2,
                        buffer.segment().getAtIndex(ValueLayout.JAVA_INT, 77_777));
                }
            });

            assertFalse(ranks.team(0).connections()[1].isDirect());
            assertFalse(ranks.team(1).connections()[0].isDirect());
        }
    }

    @Test
    void shouldComputeTheSameOverQueuePairs()
    {
        final int[] counts = {0, 1, 7, 10, 11, 100, 5_000, 100_000};
        try (Ranks ranks = new Ranks(3, Map.of("TUTTI_DIRECT", "0")))
        {
            ranks.run(communicator -> IntStream.of(counts).forEach(count ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT64, count);
                for (int i = 0; i < count; i++)
                {
                    buffer.segment().setAtIndex(
                        ValueLayout.JAVA_LONG, i, (long)i << communicator.rank());
                }
                communicator.allreduce(buffer, ReduceOp.SUM);
                for (int i = 0; i < count; i++)
                {
                    assertEquals(7L * i,
                        buffer.segment().getAtIndex(ValueLayout.JAVA_LONG, i));
                }
            }));
        }
    }
}
