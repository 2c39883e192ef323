/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;

class HotPathTest
{
    private static final int EXCHANGES = 20_000;
    private static final int ROUNDS = 10;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    @Test
    void shouldAllocateNothingWhenPostingAndPolling()
    {
        final ShmProvider provider = new ShmProvider((Path)null);
        try (Pair sender = new Pair(provider, 4096); Pair receiver = new Pair(provider, 4096))
        {
            sender.connect(receiver.qp.qpNum());
            receiver.connect(sender.qp.qpNum());
            sender.prepareWrite(receiver.memory.address(), receiver.region.rkey());

            // The first rounds load classes; a round may be disturbed, all of them cannot.
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS && least != 0; round++)
            {
                final long before = threads.getCurrentThreadAllocatedBytes();
                exchange(sender, receiver);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertEquals(0, least, "bytes allocated by " + EXCHANGES + " exchanges");
        }
    }

    private static void exchange(final Pair sender, final Pair receiver)
    {
        for (int i = 0; i < EXCHANGES; i++)
        {
            receiver.postReceive();
            sender.postSend(true);
            receiver.cq.requestNotify(false);
            while (receiver.poll() == 0 || sender.poll() == 0)
            {
                Thread.onSpinWait();
            }
        }
    }
}
