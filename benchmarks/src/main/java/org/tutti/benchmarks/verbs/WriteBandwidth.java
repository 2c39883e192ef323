/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The stream of {@code ib_write_bw}: as many writes as the send queue holds are kept under way, and one in a few makes
 * a completion. Used by one thread.
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
     * Both ranks make it alike.
     *
     * @param pair       between them; stays the caller's.
     * @param depth      requests under way at most.
     * @param chain      requests that are posted together, as the pair was made for.
     * @param moderation requests for one completion; a multiple of the chain, and no more than the depth.
     * @param length     length of a message, in bytes.
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
     * @param messages how many: a multiple of the chain.
     * @return nanoseconds, from the first post to the last completion.
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
                // The last one may stand for fewer.
                completed = Math.min(messages, completed + (long)polled * moderation);
            }
        }
        return System.nanoTime() - start;
    }

    /**
     * Whether what the other rank wrote is what it should be.
     *
     * @return false if a byte is wrong.
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
