/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The ping-pong of {@code ib_write_lat}: each rank writes a message, waits for its completion, and polls the last byte
 * of its own memory until the other rank's message changes it. Used by one thread.
 */
final class WriteLatency
{
    private static final int READINGS = 1000;
    /** Maximum number of attempts to measure the clock: enough for the JVM to compile the loop. */
    private static final int ATTEMPTS = 500;
    private static final long CHEAP_READING_NS = 200;
    private static final int MESSAGES_PER_DEAR_READING = 20;

    private final RankPair pair;
    private final RcEndpoint endpoint;
    private final UnsafeBuffer outgoing;
    private final UnsafeBuffer incoming;
    private final int last;
    private byte number;

    /**
     * Creates the ping-pong; both ranks must use the same parameters.
     *
     * @param pair   pair of the ranks; the caller keeps ownership.
     * @param length message length in bytes.
     */
    WriteLatency(final RankPair pair, final int length)
    {
        this.pair = pair;
        endpoint = pair.endpoint();
        outgoing = endpoint.outgoing(length);
        incoming = endpoint.incoming(length);
        last = length - 1;
        endpoint.message(length);
    }

    /**
     * Number of messages per clock reading: one, unless reading the clock is slow, as when the kernel must ask a device
     * for the time.
     *
     * @return number of messages, at least 1.
     */
    static int messagesPerReading()
    {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS && least > READINGS * CHEAP_READING_NS; i++)
        {
            least = Math.min(least, readClock());
        }
        return least > READINGS * CHEAP_READING_NS ? MESSAGES_PER_DEAR_READING : 1;
    }

    private static long readClock()
    {
        final long start = System.nanoTime();
        long now = start;
        for (int i = 0; i < READINGS; i++)
        {
            now = System.nanoTime();
        }
        return now - start;
    }

    /**
     * Exchanges messages with the other rank.
     *
     * @param readings number of clock readings.
     * @param messages number of messages that each rank sends between two clock readings.
     * @return clock readings in nanoseconds.
     */
    long[] run(final int readings, final int messages)
    {
        final long[] readingsNs = new long[readings];
        for (int i = 0; i < readings; i++)
        {
            readingsNs[i] = System.nanoTime();
            exchange(messages);
        }
        return readingsNs;
    }

    private void exchange(final int messages)
    {
        final boolean first = pair.rank() == 0;
        for (int i = 0; i < messages; i++)
        {
            number++;
            if (!first)
            {
                awaitMessage();
            }
            send();
            if (first)
            {
                awaitMessage();
            }
        }
    }

    private void send()
    {
        outgoing.putByte(last, number);
        endpoint.postWrite(true);
        while (endpoint.poll(1) == 0)
        {
            pair.waiting();
        }
    }

    private void awaitMessage()
    {
        while (incoming.getByteVolatile(last) != number)
        {
            endpoint.progress();
            pair.waiting();
        }
        pair.arrived();
    }
}
