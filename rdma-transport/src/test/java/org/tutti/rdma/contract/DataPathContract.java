/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import com.sun.management.ThreadMXBean;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.WorkCompletion;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests that posting, polling and sleeping for completions allocate nothing. */
@Timeout(60)
abstract class DataPathContract extends Contract
{
    private static final int EXCHANGES = 50;
    private static final int ROUNDS = 30;
    private static final long SOON_NS = 10_000_000_000L;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final UnsafeBuffer completions = new UnsafeBuffer(ByteBuffer.allocateDirect(WorkCompletion.SIZE));
    private Context context;
    private ProtectionDomain domain;
    private CompletionChannel channel;
    private CompletionQueue queue;

    @BeforeEach
    void openAll()
    {
        context = open();
        domain = context.allocateProtectionDomain();
        channel = context.createCompletionChannel();
        queue = context.createCompletionQueue(64, channel);
    }

    @AfterEach
    void closeAll()
    {
        queue.close();
        channel.close();
        domain.close();
        context.close();
    }

    @Test
    void shouldAllocateNothingOnTheDataPath()
    {
        assertAllocatesNothing(false);
    }

    @Test
    void shouldAllocateNothingWhenSleepingForCompletions()
    {
        assertAllocatesNothing(true);
    }

    private void assertAllocatesNothing(final boolean isAsleep)
    {
        try (Loop loop = new Loop(context, domain, queue))
        {
            // The first rounds load classes; a single round may be disturbed, but not all of them.
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS && least != 0; round++)
            {
                final long before = threads.getCurrentThreadAllocatedBytes();
                exchange(loop, isAsleep);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertEquals(0, least, "bytes allocated by " + EXCHANGES + " exchanges");
        }
    }

    private void exchange(final Loop loop, final boolean isAsleep)
    {
        for (int i = 0; i < EXCHANGES; i++)
        {
            if (isAsleep)
            {
                queue.requestNotify(false);
            }
            loop.write(i);
            if (isAsleep && channel.awaitEvent(SOON_NS) != queue)
            {
                throw new IllegalStateException("no event");
            }
            while (queue.poll(completions.addressOffset(), 1) == 0)
            {
                Thread.onSpinWait();
            }
        }
    }
}
