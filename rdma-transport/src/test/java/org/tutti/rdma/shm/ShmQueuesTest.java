/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Errno;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SharedReceiveQueue;
import org.tutti.rdma.soft.SoftCompletionQueue;
import org.tutti.rdma.soft.segment.CompletionRing;
import org.tutti.rdma.soft.segment.RegionEntry;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests concurrent use and reuse of queues and keys. */
@Timeout(60)
class ShmQueuesTest
{
    private static final int ROUNDS = Boolean.getBoolean("tutti.test.torture") ? 1_000 : 300;

    private final Pair pair = new Pair(new ShmProvider((Path)null), 4096);
    private final ShmContext context = (ShmContext)pair.context;

    @AfterEach
    void close()
    {
        pair.close();
    }

    @Test
    void shouldFreeAllSlotsWhenResetDuringPolling()
    {
        pair.connect(pair.qp.qpNum());
        pair.prepareWrite(pair.memory.address(), pair.region.rkey());
        pair.send.opcode(SendOpcode.RDMA_WRITE);
        final long ring = ((SoftCompletionQueue)pair.cq).ring();
        final AtomicBoolean isOver = new AtomicBoolean();
        final CompletableFuture<Void> poller = CompletableFuture.runAsync(() ->
        {
            while (!isOver.get())
            {
                pair.poll();
            }
        });
        try
        {
            for (int i = 0; i < ROUNDS; i++)
            {
                for (int j = 0; j < Pair.QUEUE / 2; j++)
                {
                    pair.postSend(true);
                }
                reset();
                pair.connect(pair.qp.qpNum());
                pair.send.sendFlags(SendFlags.INLINE);
                for (int j = 0; j < Pair.QUEUE; j++)
                {
                    assertEquals(0, pair.qp.postSend(pair.send.nativeAddress()), "round " + i + ", slot " + j);
                }
                reset();
                pair.connect(pair.qp.qpNum());
                while (CompletionRing.head(ring) != CompletionRing.tail(ring))
                {
                    Thread.onSpinWait();
                }
            }
        }
        finally
        {
            isOver.set(true);
            poller.join();
        }
    }

    @Test
    void shouldRejectPollWhenQueueIsClosedConcurrently()
    {
        for (int i = 0; i < 100; i++)
        {
            final CompletionQueue queue = context.createCompletionQueue(8, pair.channel);
            final AtomicBoolean isPolling = new AtomicBoolean();
            final CompletableFuture<Integer> poller = CompletableFuture.supplyAsync(() ->
            {
                int result = 0;
                while (result == 0)
                {
                    result = queue.poll(pair.completionAddress, 1);
                    isPolling.set(true);
                }
                return result;
            });
            while (!isPolling.get())
            {
                Thread.onSpinWait();
            }
            queue.close();
            // Gets the memory of the closed queue.
            final CompletionQueue next = context.createCompletionQueue(8, pair.channel);
            assertEquals(-Errno.EINVAL, poller.join());
            assertThrows(RdmaException.class, () -> queue.requestNotify(false));
            next.close();
        }
    }

    private void reset()
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.RESET;
        pair.qp.modify(attributes, QueuePairAttributeMask.STATE);
    }

    @Test
    void shouldHandleOverrunsWhenQueuesAreCreatedAndClosed()
    {
        final AtomicBoolean isOver = new AtomicBoolean();
        final CompletableFuture<Void> poller = CompletableFuture.runAsync(() ->
        {
            while (!isOver.get())
            {
                context.handleOverruns();
                pair.channel.awaitEvent(0);
            }
        });
        for (int i = 0; i < 5_000; i++)
        {
            context.createCompletionQueue(1, pair.channel).close();
        }
        isOver.set(true);
        poller.join();
    }

    @Test
    void shouldFailReceiverWhenCompletionQueueOverruns()
    {
        try (CompletionQueue small = context.createCompletionQueue(2, null);
            QueuePair receiver = pair.domain.createQueuePair(
                QueuePairInitAttributes.reliable(small, 8, 8, 1, 0)))
        {
            pair.connect(receiver.qpNum());
            Pair.connect(receiver, pair.qp.qpNum(), Pair.pathTo(pair.qp.qpNum()));
            pair.prepareWrite(pair.memory.address(), pair.region.rkey());
            for (int i = 0; i < 3; i++)
            {
                assertEquals(0, receiver.postReceive(pair.receive.nativeAddress()));
                pair.postSend(false);
            }

            final Set<AsyncEventType> events = new HashSet<>();
            while (events.size() < 2)
            {
                events.add(context.awaitAsyncEvent(10_000_000_000L).type());
            }
            assertEquals(Set.of(AsyncEventType.CQ_ERR, AsyncEventType.QP_FATAL), events);
            assertEquals(QueuePairState.ERR, receiver.state());
            assertEquals(2, small.poll(pair.completionAddress, 2));
            assertTrue(small.poll(pair.completionAddress, 1) < 0);
        }
    }

    @Test
    void shouldRaiseLastWqeEventOnceWhenQueuePairFails()
    {
        try (SharedReceiveQueue shared = pair.domain.createSharedReceiveQueue(4, 1);
            QueuePair taker = pair.domain.createQueuePair(new QueuePairInitAttributes(
                QueuePairType.RC, pair.cq, pair.cq, shared, 4, 0, 1, 1, 0, false)))
        {
            assertEquals(0, shared.postReceive(pair.receive.nativeAddress()));
            Pair.connect(taker, taker.qpNum(), Pair.pathTo(taker.qpNum()));
            final QueuePairAttributes attributes = new QueuePairAttributes();
            attributes.state = QueuePairState.ERR;
            taker.modify(attributes, QueuePairAttributeMask.STATE);

            assertEquals(new AsyncEvent(AsyncEventType.QP_LAST_WQE_REACHED, taker),
                context.awaitAsyncEvent(10_000_000_000L));
            assertNull(context.awaitAsyncEvent(30_000_000L));
            assertEquals(0, pair.poll());
        }
    }

    @Test
    void shouldRaiseLimitEventImmediatelyWhenArmedTooLate()
    {
        try (SharedReceiveQueue shared = pair.domain.createSharedReceiveQueue(4, 1))
        {
            shared.armLimit(2);
            assertEquals(new AsyncEvent(AsyncEventType.SRQ_LIMIT_REACHED, shared),
                context.awaitAsyncEvent(10_000_000_000L));
            assertNull(context.awaitAsyncEvent(30_000_000L));
        }
    }

    @Test
    void shouldReuseKeyEntryAsLateAsPossible()
    {
        final Set<Integer> indexes = new HashSet<>();
        for (int i = 0; i < 60; i++)
        {
            final MemoryRegion region = pair.domain.registerMemory(pair.memory.address(), 64, 0);
            assertTrue(indexes.add(RegionEntry.index(region.rkey())), "registration " + i);
            region.close();
        }
    }
}
