/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The ping-pong of {@code ib_write_lat}: each rank writes a message, waits for its completion, and looks at the last
 * byte of its own memory until the other's message changes it. Used by one thread.
 */
final class WriteLatency
{
    private final Link link;
    private final Endpoint endpoint;
    private final UnsafeBuffer outgoing;
    private final UnsafeBuffer incoming;
    private final int last;
    private byte number;

    /**
     * Both ranks make it alike.
     *
     * @param link   between them; stays the caller's.
     * @param length of a message, in bytes.
     */
    WriteLatency(final Link link, final int length)
    {
        this.link = link;
        endpoint = link.endpoint();
        outgoing = endpoint.outgoing(length);
        incoming = endpoint.incoming(length);
        last = length - 1;
        endpoint.message(length);
    }

    /**
     * Exchanges messages, both ranks together.
     *
     * @param postedNs gets when each was posted; its length says how many.
     */
    void run(final long[] postedNs)
    {
        final boolean first = link.rank() == 0;
        final int messages = postedNs.length;
        for (int i = 0; i < messages; i++)
        {
            number++;
            if (!first)
            {
                awaitMessage();
            }
            postedNs[i] = System.nanoTime();
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
            link.waiting();
        }
    }

    private void awaitMessage()
    {
        while (incoming.getByteVolatile(last) != number)
        {
            link.waiting();
        }
        link.arrived();
    }
}
