/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveInterruptedException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;
import org.tutti.collectives.progress.WaitingThread;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** User code run by the communicator: operators that call it or never return, and dependent stages of futures. */
@Timeout(120)
class OperatorTest
{
    private static final long LIMIT_S = 60;
    private static final int COUNT = 1 << 10;

    /** Calls that an operator makes on its own communicator. */
    private enum Within
    {
        CLOSE(Communicator::close),
        BARRIER(Communicator::barrier),
        SEND(world -> world.send(new int[1], 1 - world.rank())),
        DUP(Communicator::dup),
        GROUP(world -> world.group(world::barrier));

        @SuppressWarnings("ImmutableEnumChecker") // A lambda without state.
        private final Ranks.Body call;

        Within(final Ranks.Body call)
        {
            this.call = call;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldThrowWhenAnOperatorOfABlockingCallCalls(final Within within)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(world -> assertRefused(world, within, false));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldThrowWhenAnOperatorOfARequestCalls(final Within within)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(world -> assertRefused(world, within, true));
        }
    }

    private static void assertRefused(final Communicator world, final Within within, final boolean isRequest)
    {
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        final ReduceOp op = ReduceOp.ofLongs("reentrant", (a, b) ->
        {
            thrown.compareAndSet(null, assertThrows(IllegalStateException.class, () -> within.call.run(world)));
            return a + b;
        });
        try (DataBuffer buffer = world.allocate(DataType.INT32, 2))
        {
            buffer.segment().set(ValueLayout.JAVA_INT, 0, world.rank() + 1);
            if (isRequest)
            {
                world.iallreduce(buffer, op).await();
            }
            else
            {
                world.allreduce(buffer, op);
            }
            assertEquals(3, buffer.segment().get(ValueLayout.JAVA_INT, 0));
        }
        if (thrown.get() != null)
        {
            final String message = thrown.get().getMessage();
            assertTrue(message.startsWith("called within the operator of allreduce(2 × int"), message);
            assertTrue(message.contains("reentrant) #0"), message);
        }
        world.barrier();
    }

    @Test
    void shouldThrowWhenAnOperatorAwaitsItsRequest()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(world ->
            {
                final AtomicReference<Request> request = new AtomicReference<>();
                final AtomicReference<Throwable> thrown = new AtomicReference<>();
                final ReduceOp op = ReduceOp.ofLongs("reentrant", (a, b) ->
                {
                    if (request.get() != null)
                    {
                        thrown.set(assertThrows(IllegalStateException.class, request.get()::await));
                        assertThrows(IllegalStateException.class, request.get()::test);
                        assertThrows(IllegalStateException.class, request.get()::cancel);
                    }
                    return a + b;
                });
                try (DataBuffer buffer = world.allocate(DataType.INT32, 2))
                {
                    request.set(world.iallreduce(buffer, op));
                    request.get().await();
                }
            });
        }
    }

    /** An operator that blocks on rank 0 until it is released, and then uses its operands. */
    private static final class Stuck
    {
        private final CountDownLatch running = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        ReduceOp op(final Communicator world)
        {
            return ReduceOp.ofSegments("stuck", (left, right, results, count) ->
            {
                if (world.rank() == 0)
                {
                    running.countDown();
                    awaitRelease();
                }
                MemorySegment.copy(left, 0, results, 0, left.byteSize());
                results.setAtIndex(ValueLayout.JAVA_INT, count - 1, right.getAtIndex(ValueLayout.JAVA_INT, count - 1));
            });
        }

        private void awaitRelease()
        {
            boolean isReleased = false;
            while (!isReleased)
            {
                try
                {
                    isReleased = released.await(LIMIT_S, TimeUnit.SECONDS);
                }
                catch (final InterruptedException ignored)
                {
                    // User code may ignore interrupts.
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BLOCKING", "REQUEST", "FUTURE"})
    void shouldEndCloseAtItsDeadlineWhenAnOperatorIsStuck(final How how) throws Exception
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);
        final Path directory = Path.of(group.getFirst().jobDirectory());
        final Stuck stuck = new Stuck();
        try (Ranks ranks = new Ranks(group, List.of(Map.of(), Map.of())))
        {
            final FutureTask<RuntimeException> first = start(ranks.communicator(0), stuck, how);
            final FutureTask<RuntimeException> second = start(ranks.communicator(1), stuck, How.BLOCKING);
            stuck.running.await();

            final String message = assertThrows(CollectiveTimeoutException.class,
                () -> ranks.communicator(0).withTimeout(Duration.ofMillis(300)).close()).getMessage();

            assertTrue(message.matches("rank 0 \\(.*\\): close timed out after 0\\.3 s: the operator of " +
                "allreduce\\(1024 × int.*, stuck\\) #0 has been running for \\d+\\.\\d s in thread .*; memory and " +
                "connections are released when it returns"), message);
            final String ofPeer =
                assertInstanceOf(CollectiveException.class, second.get(LIMIT_S, TimeUnit.SECONDS)).getMessage();
            assertTrue(ofPeer.contains("rank 0 on ") && ofPeer.contains("the operator of allreduce"), ofPeer);
            ranks.communicator(1).close();
            stuck.released.countDown();
            first.get(LIMIT_S, TimeUnit.SECONDS);
        }
        while (Files.exists(directory))
        {
            // Everything is released when the operator has returned; otherwise the test times out.
            Thread.sleep(1);
        }
    }

    /** Form of rank 0's call. */
    private enum How
    {
        BLOCKING, REQUEST, FUTURE
    }

    /** The call may be complete before the communicator fails; the next call fails then. */
    private static FutureTask<RuntimeException> start(final Communicator world, final Stuck stuck, final How how)
    {
        final FutureTask<RuntimeException> task = new FutureTask<>(() ->
        {
            final DataBuffer buffer = world.allocate(DataType.INT32, COUNT);
            return assertThrows(RuntimeException.class, () ->
            {
                switch (how)
                {
                    case BLOCKING -> world.allreduce(buffer, stuck.op(world));
                    case REQUEST -> world.iallreduce(buffer, stuck.op(world)).await();
                    default -> world.iallreduce(buffer, stuck.op(world)).toFuture().join();
                }
                world.barrier();
            });
        });
        WaitingThread.start(task, false);
        return task;
    }

    @Test
    void shouldEndEveryWaitForTheCommunicatorWhenAnOperatorIsStuck() throws Exception
    {
        final Stuck stuck = new Stuck();
        try (Ranks ranks = new Ranks(2))
        {
            final Communicator world = ranks.communicator(0);
            final Communicator shortRetrySettings = world.withTimeout(Duration.ofMillis(300));
            final CompletableFuture<Void> future =
                world.iallreduce(world.allocate(DataType.INT32, COUNT), stuck.op(world)).toFuture();
            final Request behind = shortRetrySettings.iallreduce(world.allocate(DataType.INT32, COUNT), ReduceOp.SUM);
            final FutureTask<RuntimeException> second = start(ranks.communicator(1), stuck, How.BLOCKING);
            stuck.running.await();

            final CollectiveTimeoutException ofRequest =
                assertThrows(CollectiveTimeoutException.class, behind::await);
            assertTrue(ofRequest.getMessage().contains("the operator of allreduce"), ofRequest::getMessage);
            assertEquals(0, ofRequest.peer());
            // The communicator has failed: this call does not wait until its own deadline.
            assertThrows(CollectiveException.class, world::barrier);
            second.get(LIMIT_S, TimeUnit.SECONDS);
            stuck.released.countDown();
            assertThrows(Exception.class, () -> future.get(LIMIT_S, TimeUnit.SECONDS));
        }
    }

    @Test
    void shouldNameTheLateRankWhenAnotherThreadWaitsLonger() throws Exception
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(Communicator::barrier);
            final Communicator world = ranks.communicator(0);
            final Request first = world.iallreduce(world.allocate(DataType.INT32, COUNT), ReduceOp.SUM);
            final Request second = world.withTimeout(Duration.ofMillis(300))
                .iallreduce(world.allocate(DataType.INT32, COUNT), ReduceOp.SUM);
            final FutureTask<RuntimeException> patient =
                new FutureTask<>(() -> assertThrows(CollectiveException.class, first::await));
            WaitingThread.await(WaitingThread.start(patient, false));

            final CollectiveTimeoutException thrown =
                assertThrows(CollectiveTimeoutException.class, second::await);

            assertEquals(1, thrown.peer(), thrown::getMessage);
            assertTrue(thrown.getMessage().contains("has not made the call"), thrown::getMessage);
            patient.get(LIMIT_S, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldEndCloseSoonWhenInterruptedDuringAStuckOperator() throws Exception
    {
        final Stuck stuck = new Stuck();
        try (Ranks ranks = new Ranks(2))
        {
            final FutureTask<RuntimeException> first = start(ranks.communicator(0), stuck, How.BLOCKING);
            final FutureTask<RuntimeException> second = start(ranks.communicator(1), stuck, How.BLOCKING);
            stuck.running.await();
            final FutureTask<CollectiveException> closing = new FutureTask<>(() ->
            {
                final CollectiveException thrown =
                    assertThrows(CollectiveInterruptedException.class, ranks.communicator(0)::close);
                assertTrue(Thread.currentThread().isInterrupted());
                return thrown;
            });
            final Thread thread = WaitingThread.start(closing, false);
            WaitingThread.await(thread);
            thread.interrupt();

            final String message = closing.get(LIMIT_S, TimeUnit.SECONDS).getMessage();
            assertTrue(message.contains("was interrupted while the operator of allreduce"), message);
            second.get(LIMIT_S, TimeUnit.SECONDS);
            stuck.released.countDown();
            first.get(LIMIT_S, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldAllowCloseInADependentStage()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(world ->
            {
                final DataBuffer buffer = world.allocate(DataType.INT32, COUNT);
                assertNull(world.iallreduce(buffer, ReduceOp.SUM).toFuture().thenRun(world::close)
                    .get(LIMIT_S, TimeUnit.SECONDS));
                assertThrows(IllegalStateException.class, world::barrier);
            });
        }
    }

    @Test
    void shouldThrowWhenAGroupClosesItsCommunicator()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(world -> assertThrows(IllegalStateException.class, () -> world.group(world::close)));
        }
    }
}
