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
import picocli.CommandLine.Option;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/**
 * Messages of any length through a ring buffer in the receiver's memory, with flow control.
 * <p>
 * The producer writes messages into a ring that the consumer registered, and wraps around at the ring's end. A counter
 * keeps the producer from overwriting unread data: the number of consumed bytes, which the consumer writes into the
 * <em>producer's</em> memory. Each side owns one counter and follows the other's, as in any queue between two threads:
 * the producer by its copy, the consumer by the lengths of the messages. Only stores go over the network.
 * <pre>
 *   producer                                    consumer
 *   tail: bytes written                         ring   [......#########......]
 *   copy of head  <---- RDMA_WRITE ----         head: bytes consumed
 *   copy of ring  ----- RDMA_WRITE_WITH_IMM --> the immediate is the message's length
 * </pre>
 * The producer's copy of the ring, from which it writes, needs no bookkeeping of its own: when the consumer has
 * consumed a message, the message has been sent, and its part of the copy is free too. The consumer posts a receive
 * before it reports consumption, so there is always a receive for what fits into the ring.
 */
@Command(name = "ring-buffer", mixinStandardHelpOptions = true,
    description = "Streams messages through a ring buffer, with flow control.")
final class RingBuffer extends TwoSidedExample
{
    private static final int RING = 4096;
    private static final int HEAD = RING;
    private static final int LENGTH = RING + Long.BYTES;
    private static final int ALIGNMENT = 64;
    private static final int MAX_MESSAGE = 1000;
    /** Maximum number of messages in the ring, with their lengths rounded up. */
    private static final int DEPTH = RING / ALIGNMENT;
    /**
     * Number of requests per completion, which covers all requests before it. {@link #CREDIT_INTERVAL} is the number of
     * bytes per counter update.
     */
    private static final int SIGNAL_INTERVAL = DEPTH / 4;
    private static final int CREDIT_INTERVAL = RING / 4;
    private static final int MAX_COUNT = 100_000_000;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    @Option(names = "--messages", paramLabel = "N", defaultValue = "1000",
        description = "Number of messages, the same on both sides (default: ${DEFAULT-VALUE}).")
    private int messages;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of the messages' lengths and bytes, the same on both sides (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Override
    public void check(final int size)
    {
        super.check(size);
        require(messages >= 1 && messages <= MAX_COUNT, "--messages=" + messages, "must be from 1 to " + MAX_COUNT);
    }

    /** The consumer. */
    @Override
    void server(final OutOfBandConnection peer)
    {
        try (Port port = open(peer.shmDirectory());
            ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(LENGTH);
            MemoryRegion region = pd.registerMemory(memory.address(), LENGTH,
                AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
            CompletionQueue sends = port.context().createCompletionQueue(DEPTH, null);
            CompletionQueue receives = port.context().createCompletionQueue(DEPTH, null);
            QueuePair qp = pd.createQueuePair(
                new QueuePairInitAttributes(QueuePairType.RC, sends, receives, null, DEPTH, DEPTH, 1, 1, 0, false)))
        {
            final WorkRequests requests = requests();
            connect(qp, QueuePairType.RC, port, peer);
            for (int i = 0; i < DEPTH; i++)
            {
                requests.postReceive(qp, i, region, 0, 0);
            }
            peer.swap(region.address());
            peer.swap(region.rkey());
            final long headAddress = peer.swap(0);
            final int headKey = (int)peer.swap(0);

            final CRC32 sum = new CRC32();
            long bytes = 0;
            long head = 0;
            long told = 0;
            for (int i = 0; i < messages; i++)
            {
                final int length = requests.await(receives).immData();
                head += skipped(head, length);
                sum.update(memory.segment().asSlice(head % RING, length).asByteBuffer());
                bytes += length;
                head += rounded(length);
                requests.postReceive(qp, i, region, 0, 0);
                if (head - told >= CREDIT_INTERVAL)
                {
                    memory.segment().set(ValueLayout.JAVA_LONG, HEAD, head);
                    requests.send(SendOpcode.RDMA_WRITE, region, HEAD, Long.BYTES).rdma(headAddress, headKey);
                    requests.post(qp);
                    requests.await(sends);
                    told = head;
                }
            }
            say("consumer: %d messages, %d bytes, checksum %08x", messages, bytes, sum.getValue());
            peer.barrier();
        }
    }

    /** The producer. */
    @Override
    void client(final OutOfBandConnection peer)
    {
        try (Port port = open(peer.shmDirectory());
            ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(LENGTH);
            MemoryRegion region = pd.registerMemory(memory.address(), LENGTH,
                AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
            CompletionQueue cq = port.context().createCompletionQueue(DEPTH, null);
            QueuePair qp = pd.createQueuePair(QueuePairInitAttributes.reliable(cq, DEPTH, 1, 1, 0)))
        {
            final WorkRequests requests = requests();
            connect(qp, QueuePairType.RC, port, peer);
            final long ring = peer.swap(0);
            final int ringKey = (int)peer.swap(0);
            peer.swap(region.address() + HEAD);
            peer.swap(region.rkey());

            final SplittableRandom random = new SplittableRandom(seed);
            final CRC32 sum = new CRC32();
            long bytes = 0;
            long tail = 0;
            int waits = 0;
            for (int i = 0; i < messages; i++)
            {
                final byte[] message = new byte[random.nextInt(1, MAX_MESSAGE + 1)];
                random.nextBytes(message);
                tail += skipped(tail, message.length);
                waits += awaitRoom(memory.segment(), tail + rounded(message.length), requests);

                final long offset = tail % RING;
                MemorySegment.copy(message, 0, memory.segment(), ValueLayout.JAVA_BYTE, offset, message.length);
                final boolean signaled = (i + 1) % SIGNAL_INTERVAL == 0 || i == messages - 1;
                requests.send(SendOpcode.RDMA_WRITE_WITH_IMM, region, offset, message.length)
                    .rdma(ring + offset, ringKey).immData(message.length)
                    .sendFlags(signaled ? SendFlags.SIGNALED : 0);
                requests.post(qp);
                if (signaled)
                {
                    requests.await(cq);
                }
                sum.update(message);
                bytes += message.length;
                tail += rounded(message.length);
            }
            say("producer: %d messages, %d bytes, checksum %08x; waited for room %d times", messages, bytes,
                sum.getValue(), waits);
            peer.barrier();
        }
    }

    /** Waits until the ring has space up to a tail; returns 1 if it had to wait. */
    private static int awaitRoom(final MemorySegment memory, final long tail, final WorkRequests requests)
    {
        final long start = System.nanoTime();
        int polls = 0;
        while (tail - (long)LONG.getAcquire(memory, (long)HEAD) > RING)
        {
            requests.pause(++polls, start);
        }
        return polls == 0 ? 0 : 1;
    }

    /** Bytes that both sides skip at the end of the ring, where a message would not fit contiguously. */
    private static int skipped(final long position, final int length)
    {
        final int left = RING - (int)(position % RING);
        return length <= left ? 0 : left;
    }

    private static int rounded(final int length)
    {
        return (length + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
