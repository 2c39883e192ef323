/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Requests that are started repeatedly. */
@Timeout(120)
class PersistentRequestTest
{
    private static final int MANY = 50;

    @Test
    void shouldStartPersistentRequestsRepeatedly()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final DataBuffer input = NumberedBuffers.filled(communicator, 5);
                final DataBuffer output = communicator.allocate(DataType.INT32, input.count());
                final PersistentRequest allreduce = communicator.allreduceInit(input, output, ReduceOp.SUM);
                final DataBuffer other = NumberedBuffers.filled(communicator, 6);
                final PersistentRequest broadcast = communicator.broadcastInit(other, 2);
                final PersistentRequest barrier = communicator.barrierInit();
                for (int i = 0; i < MANY; i++)
                {
                    output.segment().fill((byte)0);
                    allreduce.start();
                    broadcast.start();
                    barrier.start();
                    barrier.await();
                    allreduce.await();
                    broadcast.await();
                    assertTrue(allreduce.test());
                    NumberedBuffers.requireSum(5, 3, output);
                    allreduce.run();
                    communicator.allreduce(input, output, ReduceOp.SUM);
                    NumberedBuffers.requireSum(5, 3, output);
                }
                assertThrows(IllegalStateException.class, output::close);
                allreduce.close();
                broadcast.close();
                barrier.close();
                output.close();
                assertThrows(IllegalStateException.class, allreduce::start);
            });
        }
    }

    @Test
    void shouldThrowWhenARequestIsActiveOrWasNotStarted()
    {
        try (Ranks ranks = new Ranks(2))
        {
            final CountDownLatch tried = new CountDownLatch(1);
            ranks.run(communicator ->
            {
                final PersistentRequest barrier = communicator.barrierInit();
                assertTrue(barrier.isDone());
                assertThrows(IllegalStateException.class, barrier::test);
                assertThrows(IllegalStateException.class, barrier::await);
                assertThrows(IllegalStateException.class, barrier::toFuture);
                if (communicator.rank() == 1)
                {
                    assertTrue(tried.await(60, TimeUnit.SECONDS));
                }
                barrier.start();
                if (communicator.rank() == 0)
                {
                    assertThrows(IllegalStateException.class, barrier::start);
                    assertThrows(IllegalStateException.class, barrier::run);
                    assertThrows(IllegalStateException.class, barrier::close);
                    tried.countDown();
                }
                barrier.await();
            });
        }
    }
}
