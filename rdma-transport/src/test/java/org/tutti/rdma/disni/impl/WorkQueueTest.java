/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.ReceiveWorkRequest;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests the users' wr_ids when one thread posts and another polls. */
@Timeout(60)
class WorkQueueTest
{
    private static final int REQUESTS = Boolean.getBoolean("tutti.test.torture") ? 1_000_000 : 200_000;

    @Test
    void shouldReturnWrIdWhenSlotIsReusedImmediately() throws InterruptedException
    {
        final WorkQueue queue = new DisniReceiveQueue(QueuePairInitAttributes.reliable(null, 1, 1, 1, 0));
        final AtomicLong posted = new AtomicLong();
        final Thread poster = new Thread(() -> post(queue, posted), "poster");
        poster.setDaemon(true);
        poster.start();

        long wrong = 0;
        for (int i = 0; i < REQUESTS; i++)
        {
            while (posted.get() <= i)
            {
                Thread.onSpinWait();
            }
            wrong += queue.complete(i & WorkRequestId.POSITION_MASK) == i ? 0 : 1;
        }
        poster.join();
        assertEquals(0, wrong, "of " + REQUESTS);
    }

    private static void post(final WorkQueue queue, final AtomicLong posted)
    {
        final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(ReceiveWorkRequest.SIZE));
        final ReceiveWorkRequest request = new ReceiveWorkRequest().wrap(memory, 0).clear();
        for (int i = 0; i < REQUESTS; i++)
        {
            request.wrId(i);
            while (queue.post(request.nativeAddress(), null, true, 0, 0) != 0)
            {
                Thread.onSpinWait();
            }
            posted.lazySet(i + 1);
        }
    }
}
