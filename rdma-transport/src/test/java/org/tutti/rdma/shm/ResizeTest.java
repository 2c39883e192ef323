/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.SharedReceiveQueue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that nothing is lost or reordered when queues are resized while peers use them. */
@Timeout(60)
class ResizeTest
{
    private static final int MESSAGES = 20_000;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final ShmProvider provider = new ShmProvider((Path)null);
    private final Pair receiver = new Pair(provider, 4096);
    private final Pair one = new Pair(provider, 4096);
    private final Pair other = new Pair(provider, 4096);

    @AfterEach
    void close()
    {
        one.close();
        other.close();
        receiver.close();
    }

    @Test
    void shouldLoseNoCompletionWhenResizedWhilePeersSend()
    {
        System.out.println("resize seed " + seed);
        final QueuePair second = receiver.domain.createQueuePair(
            QueuePairInitAttributes.reliable(receiver.cq, 4, Pair.QUEUE, 1, 0));
        run(List.of(receiver.qp, second), null, () ->
            receiver.cq.resize(2 * Pair.QUEUE + random.nextInt(2000)));
        second.close();
    }

    @Test
    void shouldLoseNoSharedReceiveWhenResizedWhilePeersSend()
    {
        System.out.println("resize seed " + seed);
        final SharedReceiveQueue shared = receiver.domain.createSharedReceiveQueue(2 * Pair.QUEUE, 1);
        final QueuePair first = sharing(shared);
        final QueuePair second = sharing(shared);
        run(List.of(first, second), shared, () -> shared.resize(2 * Pair.QUEUE + random.nextInt(2000)));
        first.close();
        second.close();
        shared.close();
    }

    private QueuePair sharing(final SharedReceiveQueue shared)
    {
        return receiver.domain.createQueuePair(new QueuePairInitAttributes(
            QueuePairType.RC, receiver.cq, receiver.cq, shared, 4, 0, 1, 1, 0, false));
    }

    private void run(final List<QueuePair> targets, final SharedReceiveQueue shared, final Runnable resize)
    {
        final List<CompletableFuture<Void>> senders = new ArrayList<>();
        for (int i = 0; i < 2; i++)
        {
            final Pair sender = i == 0 ? one : other;
            final QueuePair target = targets.get(i);
            sender.connect(target.qpNum());
            Pair.connect(target, sender.qp.qpNum(), Pair.pathTo(sender.qp.qpNum()));
            sender.prepareWrite(receiver.memory.address(), receiver.region.rkey());
            for (int j = 0; j < Pair.QUEUE; j++)
            {
                post(target, shared);
            }
            senders.add(CompletableFuture.runAsync(() -> send(sender)));
        }
        final int[] expected = new int[2];
        for (int i = 0; i < 2 * MESSAGES; i++)
        {
            receiver.await();
            assertTrue(receiver.completion.isSuccess(), () -> receiver.completion.status().text());
            final int from = receiver.completion.qpNum() == targets.get(0).qpNum() ? 0 : 1;
            assertEquals(expected[from]++, receiver.completion.immData(), () -> "seed " + seed);
            post(targets.get(from), shared);
            if (i % 200 == 0)
            {
                resize.run();
            }
        }
        senders.forEach(CompletableFuture::join);
    }

    private void post(final QueuePair target, final SharedReceiveQueue shared)
    {
        final long request = receiver.receive.nativeAddress();
        assertEquals(0, shared == null ? target.postReceive(request) : shared.postReceive(request));
    }

    private void send(final Pair sender)
    {
        for (int i = 0; i < MESSAGES; i++)
        {
            sender.send.immData(i);
            sender.postSend(true);
            sender.await();
        }
    }

    @Test
    void shouldKeepCompletionsWhenResized()
    {
        one.connect(receiver.qp.qpNum());
        receiver.connect(one.qp.qpNum());
        one.prepareWrite(receiver.memory.address(), receiver.region.rkey());
        for (int i = 0; i < 10; i++)
        {
            receiver.postReceive();
            one.send.immData(i);
            one.postSend(false);
        }
        final RdmaException ex = assertThrows(RdmaException.class, () -> receiver.cq.resize(9));
        assertEquals(Errno.EINVAL, ex.errno());
        receiver.cq.resize(10);
        receiver.cq.resize(1000);

        for (int i = 0; i < 10; i++)
        {
            assertEquals(1, receiver.poll());
            assertEquals(i, receiver.completion.immData());
        }
        assertEquals(1000, receiver.cq.capacity());
        assertThrows(RdmaException.class, () -> receiver.cq.resize(0));
    }

    @Test
    void shouldRejectResizeWhenBelowPostedRequests()
    {
        try (SharedReceiveQueue shared = receiver.domain.createSharedReceiveQueue(8, 1))
        {
            for (int i = 0; i < 8; i++)
            {
                assertEquals(0, shared.postReceive(receiver.receive.nativeAddress()));
            }
            assertEquals(Errno.ENOMEM, shared.postReceive(receiver.receive.nativeAddress()));
            assertEquals(Errno.EINVAL, assertThrows(RdmaException.class, () -> shared.resize(7)).errno());
            shared.resize(9);
            assertEquals(0, shared.postReceive(receiver.receive.nativeAddress()));
            assertEquals(Errno.ENOMEM, shared.postReceive(receiver.receive.nativeAddress()));
            assertEquals(9, shared.query().maxWorkRequests());
        }
    }
}
