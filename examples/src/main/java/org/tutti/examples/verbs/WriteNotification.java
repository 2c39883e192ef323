/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import picocli.CommandLine.Command;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Three ways to notify a receiver of a completed write, which by itself generates no completion there.
 * <ol>
 * <li>{@code RDMA_WRITE_WITH_IMM}: one request, which consumes a receive at the other side and completes there with a
 * 32-bit immediate.
 * <li>A plain write followed by a {@code SEND}: two requests, with a message of any length. A queue pair executes its
 * requests in order, so the data has arrived before the message.
 * <li>A plain write followed by a write of a flag, which the receiver polls. The second write consumes no receive and
 * needs no completion queue at the receiver, which makes it the fastest way and the most fragile: the specification
 * guarantees the content of memory only after a completion. It works if adapters execute requests in order. The flag
 * must be a separate request, because within one message the last byte need not be written last.
 * </ol>
 */
@Command(name = "write-notification", mixinStandardHelpOptions = true,
    description = "Three ways to notify a peer of a write to its memory.")
final class WriteNotification extends TwoSidedExample
{
    private static final int LENGTH = 4096;
    private static final int DEPTH = 8;
    private static final int ROOM = 1024;
    private static final int FLAG = 3 * ROOM;
    private static final int LOCAL_FLAG = FLAG + 8;
    private static final int IMMEDIATE = 7;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    @Override
    void server(final OutOfBandConnection peer)
    {
        try (Port port = open(peer.shmDirectory());
            ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(LENGTH);
            MemoryRegion region = pd.registerMemory(memory.address(), LENGTH,
                AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
            CompletionQueue cq = port.context().createCompletionQueue(2 * DEPTH, null);
            QueuePair qp = pd.createQueuePair(QueuePairInitAttributes.reliable(cq, DEPTH, DEPTH, 1, 0)))
        {
            final MemorySegment data = memory.segment();
            final WorkRequests requests = requests();
            connect(qp, QueuePairType.RC, port, peer);
            requests.postReceive(qp, 0, region, 0, 0);
            requests.postReceive(qp, 1, region, 0, 0);
            peer.swap(region.address());
            peer.swap(region.rkey());

            final int number = requests.await(cq).immData();
            say("server: notified by immediate %d: '%s'", number, data.getString(0));

            requests.await(cq);
            say("server: notified by a message after the write: '%s'", data.getString(ROOM));

            final long start = System.nanoTime();
            // The acquire load orders reads: data that was written before the flag is not read before the flag.
            for (int polls = 1; (long)LONG.getAcquire(data, (long)FLAG) == 0; polls++)
            {
                requests.pause(polls, start);
            }
            say("server: notified by a flag in memory: '%s'", data.getString(2 * ROOM));
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
            QueuePair qp = pd.createQueuePair(QueuePairInitAttributes.reliable(cq, DEPTH, DEPTH, 1, 0)))
        {
            final WorkRequests requests = requests();
            connect(qp, QueuePairType.RC, port, peer);
            final long remote = peer.swap(0);
            final int rkey = (int)peer.swap(0);
            final String text = "data";
            memory.segment().setString(0, text);
            memory.segment().set(ValueLayout.JAVA_LONG, LOCAL_FLAG, 1);
            final int length = text.length() + 1;

            requests.send(SendOpcode.RDMA_WRITE_WITH_IMM, region, 0, length).rdma(remote, rkey).immData(IMMEDIATE);
            requests.post(qp);
            requests.await(cq);

            // Only the last of the requests generates a completion, which covers those before it.
            requests.send(SendOpcode.RDMA_WRITE, region, 0, length).rdma(remote + ROOM, rkey).sendFlags(0);
            requests.post(qp);
            requests.send(SendOpcode.SEND, region, 0, 0).sgList(0, 0);
            requests.post(qp);
            requests.await(cq);

            requests.send(SendOpcode.RDMA_WRITE, region, 0, length).rdma(remote + 2 * ROOM, rkey).sendFlags(0);
            requests.post(qp);
            requests.send(SendOpcode.RDMA_WRITE, region, LOCAL_FLAG, Long.BYTES).rdma(remote + FLAG, rkey)
                .sendFlags(SendFlags.SIGNALED);
            requests.post(qp);
            requests.await(cq);
            say("client: wrote three times, notified in three ways");
            peer.barrier();
        }
    }
}
