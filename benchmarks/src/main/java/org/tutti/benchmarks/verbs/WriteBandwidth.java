/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The loop of {@code ib_write_bw}: keeps the send queue full of writes, and requests a completion only for every
 * {@code moderation}-th write. Used by one thread.
 */
final class WriteBandwidth
{
    private static final int BATCH = 16;

    private final RankPair pair;
    private final RcEndpoint endpoint;
    private final int depth;
    private final int chain;
    private final int moderation;
    private final int length;

    /**
     * Creates the loop; both ranks must use the same parameters.
     *
     * @param pair       pair of the ranks; the caller keeps ownership.
     * @param depth      maximum outstanding requests.
     * @param chain      number of requests that are posted together; must be the number with which the pair was
     *                   created.
     * @param moderation requests per completion; a multiple of the chain, at most the depth.
     * @param length     message length in bytes.
     */
    WriteBandwidth(final RankPair pair, final int depth, final int chain, final int moderation, final int length)
    {
        this.pair = pair;
        this.depth = depth;
        this.chain = chain;
        this.moderation = moderation;
        this.length = length;
        endpoint = pair.endpoint();
        endpoint.message(length);
        final UnsafeBuffer outgoing = endpoint.outgoing(length);
        for (int i = 0; i < length; i++)
        {
            outgoing.putByte(i, pattern(i));
        }
    }

    /**
     * Writes messages to the other rank.
     *
     * @param messages number of messages, a multiple of the chain.
     * @return elapsed nanoseconds from the first post to the last completion.
     */
    long run(final long messages)
    {
        final long start = System.nanoTime();
        long posted = 0;
        long completed = 0;
        while (completed < messages)
        {
            while (posted < messages && posted + chain - completed <= depth)
            {
                posted += chain;
                endpoint.postWrite(posted % moderation == 0 || posted == messages);
            }
            final int polled = endpoint.poll(BATCH);
            if (polled == 0)
            {
                pair.waiting();
            }
            else
            {
                pair.arrived();
                // The last completion may cover fewer requests than the others.
                completed = Math.min(messages, completed + (long)polled * moderation);
            }
        }
        return System.nanoTime() - start;
    }

    /**
     * Whether the data that the other rank wrote is correct.
     *
     * @return false if any byte is wrong.
     */
    boolean isIncomingRight()
    {
        final UnsafeBuffer incoming = endpoint.incoming(length);
        for (int i = 0; i < length; i++)
        {
            if (incoming.getByte(i) != pattern(i))
            {
                return false;
            }
        }
        return true;
    }

    private static byte pattern(final int index)
    {
        return (byte)(index * 31 + (index >>> 8) + 1);
    }
}
