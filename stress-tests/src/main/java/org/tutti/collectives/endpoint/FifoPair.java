/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.agrona.UnsafeApi;
import org.tutti.collectives.device.QueueSizes;
import org.tutti.collectives.progress.SingleRankFixture;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;

import java.lang.reflect.Proxy;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A receive FIFO and the endpoint that stores into it, in one process. Pairs are reused: {@link #next} takes one, and
 * the test's arbiter returns it. Messages differ between uses, so that stale content of a line is not mistaken for
 * current content.
 */
final class FifoPair
{
    /** Maximum payload of a test in bytes: too long for a line. */
    static final int LENGTH = 256;

    private static final Queue<FifoPair> FREE = new ConcurrentLinkedQueue<>();

    final SharedMemoryEndpoint endpoint;
    final ReceiveFifo fifo;
    private final QueuePairEndpoint byQueuePair;
    private final RegisteredBuffer source;
    private final RegisteredBuffer destination;
    private long value;

    private FifoPair()
    {
        final RegisteredMemoryPool pool = SingleRankFixture.TEAM.pool();
        final RegisteredBuffer memory = pool.allocate(ReceiveFifo.LENGTH);
        source = pool.allocate(LENGTH);
        destination = pool.allocate(LENGTH);
        fifo = new ReceiveFifo(0, memory);
        byQueuePair = new QueuePairEndpoint(0, sameProcess(), 0, new QueueSizes(16, 16, 1), 0,
            pool.allocate(QueuePairEndpoint.sharedLength(1)));
        final long at = destination.address();
        byQueuePair.remote(at, destination.rkey(), at, destination.rkey(), at);
        endpoint = SharedMemoryEndpoint.to(byQueuePair, memory.address(), memory.rkey());
    }

    /** A queue pair to a peer in this process, with identical addresses in the peer. Posted requests are discarded. */
    private static QueuePair sameProcess()
    {
        return (QueuePair)Proxy.newProxyInstance(FifoPair.class.getClassLoader(), new Class<?>[] {QueuePair.class},
            (proxy, method, arguments) -> switch (method.getName())
            {
                case "loadStoreAddress" -> arguments[0];
                case "postSend", "postReceive" -> 0;
                default -> throw new UnsupportedOperationException(method.getName());
            });
    }

    /** Takes a pair with an empty FIFO, a new value throughout the source, and zeros in the destination. */
    static FifoPair next()
    {
        final FifoPair found = FREE.poll();
        final FifoPair pair = found == null ? new FifoPair() : found;
        pair.nextValue();
        fill(pair.destination, 0);
        return pair;
    }

    /** Drains the FIFO and returns the pair for reuse. */
    void giveBack()
    {
        while (fifo.take(0))
        {
            // The next use starts with an empty FIFO.
        }
        fifo.asleep(false);
        UnsafeApi.putInt(fifo.memory().address() + ReceiveFifo.INPUT_VALID_OFFSET, ReceiveFifo.INPUT_VALID);
        FREE.add(this);
    }

    /** Writes a new value to the source. */
    void nextValue()
    {
        value++;
        fill(source, value);
    }

    /** Current value of the source. */
    long value()
    {
        return value;
    }

    private static void fill(final RegisteredBuffer buffer, final long value)
    {
        for (int i = 0; i < LENGTH; i += Long.BYTES)
        {
            UnsafeApi.putLong(buffer.address() + i, value);
        }
    }

    /** Sends an eager message that carries the start of the source. */
    void sendEager(final int length)
    {
        endpoint.sendEager(source.address(), length, destination.address(), 1, 0);
    }

    /** Stores the start of the source into the destination, then sends a message. */
    void put(final int length)
    {
        endpoint.putWithImmediate(
            source.address(), source.lkey(), length, destination.address(), destination.rkey(), 1, 0, false);
    }

    /**
     * Checks whether the destination holds the sent data.
     *
     * @param length length of the sent data in bytes.
     * @return 1 if it does, with {@code expected} in each 8 bytes; else 0.
     */
    int isComplete(final int length, final long expected)
    {
        for (int i = 0; i < length; i += Long.BYTES)
        {
            if (UnsafeApi.getLong(destination.address() + i) != expected)
            {
                return 0;
            }
        }
        return 1;
    }

    /** Address of the destination, which here is the INPUT that a peer loads. */
    long input()
    {
        return destination.address();
    }

    /** Posts pending requests, and a wake-up if the reader sleeps; returns the number of posted requests. */
    int flush()
    {
        final long before = byQueuePair.posted();
        endpoint.flush();
        final long posted = byQueuePair.posted();
        // Has the effect of the completion that a real queue pair would generate.
        byQueuePair.onSendCompletion(posted);
        return (int)(posted - before);
    }
}
