/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SharedReceiveQueue;
import org.tutti.rdma.WorkCompletion;
import picocli.CommandLine.Command;

/**
 * Exercise 7: exercise 5 with a shared receive queue.
 * <p>
 * A server with a thousand clients and ten receives for each needs memory for ten thousand messages, nearly all of it
 * idle. With a shared receive queue, all queue pairs of the server consume receives from one queue, which needs to
 * cover only concurrent arrivals. A shared receive queue that runs low can generate an asynchronous event, once each
 * time that the queue is armed.
 * <p>
 * Here a client sends over two connections. The server receives from one queue, and refills it on the event.
 */
@Command(name = "verbs-7", mixinStandardHelpOptions = true,
    description = "A receive queue shared by several connections.")
final class Exercise7SharedReceiveQueue extends TwoSidedExample
{
    private static final int MESSAGES = 6;
    private static final int STOCK = 4;
    private static final int LOW = 2;
    private static final int DEPTH = 16;
    private static final int ROOM = 256;
    private static final int LENGTH = DEPTH * ROOM;

    @Override
    void server(final OutOfBandConnection peer)
    {
        try (Port port = open(peer.shmDirectory());
            ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(LENGTH);
            MemoryRegion region = pd.registerMemory(memory.address(), LENGTH, AccessFlags.LOCAL_WRITE);
            CompletionQueue cq = port.context().createCompletionQueue(2 * DEPTH, null);
            SharedReceiveQueue srq = pd.createSharedReceiveQueue(DEPTH, 1);
            QueuePair first = pd.createQueuePair(attributes(cq, srq));
            QueuePair second = pd.createQueuePair(attributes(cq, srq)))
        {
            final WorkRequests requests = requests();
            // Receives are posted to the shared queue, not to the queue pairs, before the client can send.
            int posted = fill(requests, srq, region, 0);
            srq.armLimit(LOW);
            connect(first, QueuePairType.RC, port, peer);
            connect(second, QueuePairType.RC, port, peer);

            final long start = System.nanoTime();
            int received = 0;
            for (int polls = 1; received < MESSAGES; polls++)
            {
                if (isLow(port.context()))
                {
                    say("server: fewer than %d receives left: posting %d more", LOW, STOCK);
                    posted = fill(requests, srq, region, posted);
                    srq.armLimit(LOW);
                }
                final WorkCompletion completion = requests.poll(cq);
                if (completion == null)
                {
                    requests.pause(polls, start);
                    continue;
                }
                // This queue has the completions of all queue pairs; the queue pair number identifies the connection.
                say("server: connection %d, receive %d: '%s'", completion.qpNum() == first.qpNum() ? 1 : 2,
                    completion.wrId(), memory.segment().getString(completion.wrId() * ROOM));
                received++;
            }
            peer.barrier();
        }
    }

    @Override
    void client(final OutOfBandConnection peer)
    {
        try (Port port = open(peer.shmDirectory());
            ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(LENGTH);
            MemoryRegion region = pd.registerMemory(memory.address(), LENGTH, 0);
            CompletionQueue cq = port.context().createCompletionQueue(2 * DEPTH, null);
            QueuePair first = pd.createQueuePair(attributes(cq, null));
            QueuePair second = pd.createQueuePair(attributes(cq, null)))
        {
            connect(first, QueuePairType.RC, port, peer);
            connect(second, QueuePairType.RC, port, peer);
            final WorkRequests requests = requests();
            for (int i = 0; i < MESSAGES; i++)
            {
                final String text = "message " + i;
                memory.segment().setString(0, text);
                requests.send(SendOpcode.SEND, region, 0, text.length() + 1);
                // There are more messages than posted receives: the client's adapter retries until the server posts
                // more.
                requests.post(i % 2 == 0 ? first : second);
                requests.await(cq);
            }
            peer.barrier();
        }
    }

    private static boolean isLow(final Context context)
    {
        final AsyncEvent event = context.awaitAsyncEvent(0);
        return event != null && event.type() == AsyncEventType.SRQ_LIMIT_REACHED;
    }

    private static QueuePairInitAttributes attributes(final CompletionQueue cq, final SharedReceiveQueue srq)
    {
        return new QueuePairInitAttributes(QueuePairType.RC, cq, cq, srq, DEPTH, 0, 1, 0, 0, false);
    }

    /** Posts receives, each with its own memory; returns the number posted so far, including these. */
    private static int fill(
        final WorkRequests requests, final SharedReceiveQueue srq, final MemoryRegion region, final int posted)
    {
        for (int i = posted; i < posted + STOCK; i++)
        {
            final int room = i % DEPTH;
            requests.postReceive(srq, room, region, (long)room * ROOM, ROOM);
        }
        return posted + STOCK;
    }
}
