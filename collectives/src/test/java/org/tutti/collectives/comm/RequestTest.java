/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests and waits of requests. */
@Timeout(120)
class RequestTest
{
    private static final int MANY = 50;

    @Test
    void shouldAwaitAllOfManyStartedRequests()
    {
        final int size = 3;
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                final List<DataBuffer> buffers = NumberedBuffers.allocate(communicator, MANY);
                final List<Request> requests = new ArrayList<>();
                for (final DataBuffer buffer : buffers)
                {
                    requests.add(communicator.iallreduce(buffer, ReduceOp.SUM));
                }
                Request.awaitAll(requests.toArray(Request[]::new));

                for (int i = 0; i < MANY; i++)
                {
                    assertTrue(requests.get(i).isDone());
                    assertTrue(requests.get(i).test());
                    NumberedBuffers.requireSum(i, size, buffers.get(i));
                }
            });
        }
    }

    @Test
    void shouldMakeProgressWhenTested()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 1 << 20);
                buffer.segment().fill((byte)1);
                final Request request = communicator.iallreduce(buffer, ReduceOp.MAX);
                while (!request.test())
                {
                    Thread.onSpinWait();
                }
                assertEquals(0x01010101, buffer.segment().get(JAVA_INT, 4));
            });
        }
    }

    @Test
    void shouldReturnTheIndexOfARequestThatIsDone()
    {
        final CountDownLatch found = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final Request first = communicator.ibarrier();
                if (communicator.rank() == 0)
                {
                    final Request second = communicator.ibarrier();
                    assertEquals(1, Request.awaitAny(second, first));
                    assertFalse(second.test());
                    found.countDown();
                    second.await();
                }
                else
                {
                    first.await();
                    assertTrue(found.await(60, TimeUnit.SECONDS));
                    communicator.barrier();
                }
            });
        }
        assertThrows(IllegalArgumentException.class, Request::awaitAny);
    }

    @Test
    void shouldServeVirtualThreadsThatWaitConcurrently()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final List<DataBuffer> buffers = NumberedBuffers.allocate(communicator, MANY);
                final List<Request> requests =
                    buffers.stream().map(buffer -> communicator.iallreduce(buffer, ReduceOp.SUM)).toList();
                final List<Future<?>> waits = new ArrayList<>();
                try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor())
                {
                    requests.forEach(request -> waits.add(threads.submit(request::await)));
                }
                for (final Future<?> wait : waits)
                {
                    wait.get();
                }
                for (int i = 0; i < MANY; i++)
                {
                    NumberedBuffers.requireSum(i, 2, buffers.get(i));
                }
            });
        }
    }

    @Test
    void shouldBlockInVirtualThreadsWhenRanksExceedCores() throws Exception
    {
        final int size = 2 * Runtime.getRuntime().availableProcessors() + 1;
        final List<Communicator> communicators = Communicators.inProcess(size);
        final List<Future<?>> calls = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor())
        {
            for (final Communicator communicator : communicators)
            {
                calls.add(threads.submit(() ->
                {
                    final DataBuffer buffer = NumberedBuffers.filled(communicator, 3);
                    for (int i = 0; i < MANY; i++)
                    {
                        communicator.barrier();
                    }
                    communicator.allreduce(buffer, ReduceOp.SUM);
                    NumberedBuffers.requireSum(3, size, buffer);
                    communicator.close();
                }));
            }
        }
        for (final Future<?> call : calls)
        {
            call.get();
        }
    }

    @Test
    void shouldKeepBuffersOpenUntilRequestsAreDone()
    {
        try (Ranks ranks = new Ranks(2))
        {
            final CountDownLatch tried = new CountDownLatch(1);
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 8);
                final DataBuffer half = buffer.slice(4, 4);
                if (communicator.rank() == 1)
                {
                    assertTrue(tried.await(60, TimeUnit.SECONDS));
                }
                final Request request = communicator.iallreduce(half, ReduceOp.SUM);
                final DataBuffer first = buffer.slice(0, 4);
                final Request queued = communicator.iallreduce(first, ReduceOp.SUM);
                first.close();
                if (communicator.rank() == 0)
                {
                    final String message = assertThrows(IllegalStateException.class, buffer::close).getMessage();
                    assertTrue(message.contains("in use"), message);
                    tried.countDown();
                }
                request.await();
                queued.await();
                buffer.close();
            });
        }
    }
}
