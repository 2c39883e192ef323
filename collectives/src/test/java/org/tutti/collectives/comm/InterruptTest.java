/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveInterruptedException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;
import org.tutti.collectives.Window;
import org.tutti.collectives.progress.WaitingThread;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An interrupt of a thread fails its communicator on all ranks. */
@Timeout(120)
class InterruptTest
{
    private static final long LIMIT_S = 60;

    /** Time of the interrupt. */
    private enum Moment
    {
        BEFORE_THE_CALL, DURING_THE_WAIT, LONG_AFTER
    }

    /** Calls in which rank 0 waits, because rank 1 does not make them. */
    private enum Waiting
    {
        BARRIER("barrier #0", Communicator::barrier),
        ALLREDUCE("allreduce(3 × float, sum) #0", world -> world.allreduce(new float[3], ReduceOp.SUM)),
        RECV("recv(1 × int", world -> world.recv(world.allocate(DataType.INT32, 1), 1)),
        SENDRECV("recv(1 × int", world ->
            world.sendrecv(world.allocate(DataType.INT32, 1), 1, world.allocate(DataType.INT32, 1), 1)),
        DUP("dup #0", Communicator::dup),
        REQUEST("allreduce(1 × int", world ->
            world.iallreduce(world.allocate(DataType.INT32, 1), ReduceOp.SUM).await()),
        ANY_REQUEST("allreduce(1 × int", world ->
            Request.awaitAny(world.iallreduce(world.allocate(DataType.INT32, 1), ReduceOp.SUM))),
        // The call is named only if the waiting thread holds the lock when it is interrupted.
        REQUEST_OF_ANOTHER_THREAD(" failed: ", world ->
        {
            final Request request = world.iallreduce(world.allocate(DataType.INT32, 1), ReduceOp.SUM);
            // The communicator's progress thread progresses it.
            final CompletableFuture<?> future = request.toFuture();
            request.await();
            future.join();
        }),
        GROUP("barrier #0", world -> world.group(world::barrier)),
        CLOSE(": close", Communicator::close);

        private final String text;
        @SuppressWarnings("ImmutableEnumChecker") // A lambda without state.
        private final Ranks.Body call;

        Waiting(final String text, final Ranks.Body call)
        {
            this.text = text;
            this.call = call;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailOnAllRanksWhenInterruptedDuringAWait(final Waiting waiting) throws Exception
    {
        assertInterrupted(waiting, Moment.DURING_THE_WAIT, false);
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailOnAllRanksWhenInterruptedBeforeTheCall(final Waiting waiting) throws Exception
    {
        assertInterrupted(waiting, Moment.BEFORE_THE_CALL, false);
    }

    @Test
    void shouldFailOnAllRanksWhenInterruptedAfterSeconds() throws Exception
    {
        assertInterrupted(Waiting.BARRIER, Moment.LONG_AFTER, false);
    }

    @ParameterizedTest
    @EnumSource(names = {"BARRIER", "RECV", "REQUEST", "DUP", "CLOSE"})
    void shouldFailOnAllRanksWhenAVirtualThreadIsInterrupted(final Waiting waiting) throws Exception
    {
        assertInterrupted(waiting, Moment.DURING_THE_WAIT, true);
    }

    private static void assertInterrupted(final Waiting waiting, final Moment moment, final boolean isVirtual)
        throws Exception
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);
        final Path directory = Path.of(group.getFirst().jobDirectory());
        try (Ranks ranks = new Ranks(group, List.of(Map.of(), Map.of())))
        {
            final Communicator world = ranks.communicator(0);
            final FutureTask<Throwable> task = waiter(world, moment, () ->
            {
                waiting.call.run(world);
                return null;
            });
            final Thread thread = WaitingThread.start(task, isVirtual);
            if (moment != Moment.BEFORE_THE_CALL)
            {
                WaitingThread.await(thread);
                while (moment == Moment.LONG_AFTER && ranks.team(1).board().latest(0) == null)
                {
                    // A rank that waits for long publishes its call.
                    Thread.sleep(1);
                }
                thread.interrupt();
            }

            final String message = message(CollectiveInterruptedException.class, task);
            assertTrue(message.startsWith("rank 0 (") && message.contains(waiting.text), message);
            assertTrue(message.contains("thread waiter was interrupted while "), message);
            final String ofPeer =
                assertThrows(CollectiveException.class, ranks.communicator(1)::barrier).getMessage();
            assertTrue(ofPeer.contains("rank 0 on ") && ofPeer.contains("was interrupted"), ofPeer);
        }
        assertFalse(Files.exists(directory), directory + " is left");
    }

    /** Makes the call and closes, in a thread whose interrupt status must stay set; returns what the call throws. */
    private static FutureTask<Throwable> waiter(
        final Communicator world, final Moment moment, final Callable<?> call)
    {
        return new FutureTask<>(() ->
        {
            if (moment == Moment.BEFORE_THE_CALL)
            {
                Thread.currentThread().interrupt();
            }
            final CollectiveInterruptedException thrown =
                assertThrows(CollectiveInterruptedException.class, call::call);
            assertTrue(Thread.currentThread().isInterrupted(), "after the call");
            assertEquals(0, thrown.peer());
            world.close();
            assertTrue(Thread.currentThread().isInterrupted(), "after close");
            return thrown;
        });
    }

    private static String message(final Class<? extends Throwable> type, final FutureTask<Throwable> task)
        throws Exception
    {
        return assertInstanceOf(type, task.get(LIMIT_S, TimeUnit.SECONDS)).getMessage();
    }

    @ParameterizedTest
    @EnumSource(names = {"BEFORE_THE_CALL", "DURING_THE_WAIT"})
    void shouldFailAWaitForASignalWhenInterrupted(final Moment moment) throws Exception
    {
        try (Ranks ranks = new Ranks(2))
        {
            final AtomicReference<Window> window = new AtomicReference<>();
            ranks.run(world ->
            {
                final Window made = world.window(world.allocate(DataType.INT32, 1), 1);
                window.compareAndSet(null, world.rank() == 0 ? made : null);
            });
            final FutureTask<Throwable> task = waiter(ranks.communicator(0), moment, () ->
            {
                window.get().waitSignal(1, 0, 1);
                return null;
            });
            final Thread thread = WaitingThread.start(task, false);
            if (moment == Moment.DURING_THE_WAIT)
            {
                WaitingThread.await(thread);
                thread.interrupt();
            }

            final String message = message(CollectiveInterruptedException.class, task);
            assertTrue(message.contains("waitSignal(rank 1 (") && message.contains("was interrupted"), message);
            final String ofPeer =
                assertThrows(CollectiveException.class, ranks.communicator(1)::barrier).getMessage();
            assertTrue(ofPeer.contains("rank 0 on ") && ofPeer.contains("was interrupted"), ofPeer);
        }
    }

    @Test
    void shouldFailTheCloseOfOneOfSeveralCommunicatorsWhenInterrupted() throws Exception
    {
        try (Ranks ranks = new Ranks(2))
        {
            final AtomicReference<Communicator> copy = new AtomicReference<>();
            ranks.run(world ->
            {
                final Communicator made = world.dup();
                copy.compareAndSet(null, world.rank() == 0 ? made : null);
            });
            final FutureTask<Throwable> task =
                waiter(ranks.communicator(0), Moment.BEFORE_THE_CALL, () ->
                {
                    copy.get().close();
                    return null;
                });
            WaitingThread.start(task, false);

            final String message = message(CollectiveInterruptedException.class, task);
            assertTrue(message.contains(": close failed: thread waiter was interrupted"), message);
            assertThrows(CollectiveException.class, ranks.communicator(1)::barrier);
        }
    }

    @Test
    void shouldFailToConnectOnAllRanksWhenInterrupted() throws Exception
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);
        final FutureTask<Throwable> task = new FutureTask<>(() ->
        {
            final Throwable thrown =
                assertThrows(BootstrapInterruptedException.class, () -> Communicators.connect(group.get(0)));
            assertTrue(Thread.currentThread().isInterrupted());
            return thrown;
        });
        final Thread thread = WaitingThread.start(task, false);
        WaitingThread.await(thread);
        thread.interrupt();

        final String message = message(BootstrapInterruptedException.class, task);
        assertTrue(message.contains("rank 0: thread waiter was interrupted"), message);
        final String ofPeer =
            assertThrows(BootstrapException.class, () -> Communicators.connect(group.get(1))).getMessage();
        assertTrue(ofPeer.contains("rank 0 on ") && ofPeer.contains("was interrupted"), ofPeer);
    }

    @Test
    void shouldCompleteACallThatDoesNotWaitWhenInterrupted()
    {
        try (Ranks ranks = new Ranks(1))
        {
            ranks.run(world ->
            {
                Thread.currentThread().interrupt();
                try (DataBuffer buffer = world.allocate(DataType.INT32, 1))
                {
                    world.allreduce(buffer, ReduceOp.SUM);
                }
                assertTrue(Thread.interrupted());
            });
        }
    }

    @Test
    void shouldNotFailARequestWhenAThreadWaitingForItsFutureIsInterrupted() throws Exception
    {
        try (Ranks ranks = new Ranks(2))
        {
            final DataBuffer buffer = ranks.communicator(0).allocate(DataType.INT32, 1);
            final Request request = ranks.communicator(0).iallreduce(buffer, ReduceOp.SUM);
            final CompletableFuture<Void> future = request.toFuture();
            final FutureTask<Throwable> task = new FutureTask<>(
                () -> assertThrows(InterruptedException.class, future::get));
            final Thread thread = WaitingThread.start(task, false);
            WaitingThread.await(thread);
            thread.interrupt();
            task.get(LIMIT_S, TimeUnit.SECONDS);

            ranks.communicator(1).allreduce(new int[1], ReduceOp.SUM);
            request.await();
            buffer.close();
        }
    }
}
