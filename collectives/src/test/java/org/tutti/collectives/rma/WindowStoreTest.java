/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.Window;
import org.tutti.collectives.comm.InterceptedBootstrap;
import org.tutti.collectives.comm.Ranks;
import org.tutti.collectives.progress.WaitingThread;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that a window leaves no entries in the store. */
@Timeout(60)
class WindowStoreTest
{
    private static final Map<String, String> HALF_A_MINUTE = Map.of("TUTTI_TIMEOUT", "30s");

    /** Parts of the keys with which ranks connect their windows. */
    private static final List<String> KEYS = List.of(
        WindowAcceptor.REQUEST_KEY, WindowAcceptor.REPLY_KEY, WindowAcceptor.WAKE_KEY, CloseMarkers.KEY);

    /** Neither when the window is closed, nor when its communicator is. */
    @Test
    void shouldLeaveNothingInTheStore()
    {
        final Set<String> keys = ConcurrentHashMap.newKeySet();
        final List<Bootstrap> group = InMemoryBootstrap.group(3).stream()
            .map(bootstrap -> InterceptedBootstrap.recording(bootstrap, keys)).toList();
        try (Ranks ranks = new Ranks(group, Collections.nCopies(3, HALF_A_MINUTE)))
        {
            ranks.run(communicator ->
            {
                final int next = (communicator.rank() + 1) % 3;
                final Window left = communicator.window(communicator.allocate(DataType.INT32, 1));
                try (DataBuffer memory = communicator.allocate(DataType.INT32, 1);
                    Window window = communicator.window(memory))
                {
                    window.signal(next, 0);
                    left.isignal(next, 1);
                    window.waitSignal((next + 1) % 3, 0, 1);
                }
                // The calls of ranks are kept there until all close.
                assertTrue(keys.stream().anyMatch(key -> key.contains("calls/")), keys::toString);
            });
        }
        assertNoneLeft(keys);
    }

    /** Rank 0 connects to rank 1 while both close. */
    @Test
    void shouldLeaveNothingInTheStoreWhenClosedDuringConnect()
    {
        final Set<String> keys = ConcurrentHashMap.newKeySet();
        final CountDownLatch wakes = new CountDownLatch(1);
        final CompletableFuture<Thread> closing = new CompletableFuture<>();
        final List<Bootstrap> group = InMemoryBootstrap.group(2).stream()
            .map(bootstrap -> wakingLate(InterceptedBootstrap.recording(bootstrap, keys), wakes, closing))
            .toList();
        try (Ranks ranks = new Ranks(group, Collections.nCopies(2, HALF_A_MINUTE)))
        {
            ranks.run(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                final FutureTask<Void> late = new FutureTask<>(() -> signal(window, communicator.rank()), null);
                WaitingThread.start(late, false);
                wakes.await();
                if (communicator.rank() == 0)
                {
                    closing.complete(Thread.currentThread());
                }
                window.close();
                late.get();
            });
        }
        assertNoneLeft(keys);
    }

    private static void assertNoneLeft(final Set<String> keys)
    {
        keys.removeIf(key -> KEYS.stream().noneMatch(part -> key.contains('/' + part)));
        assertEquals(Set.of(), keys);
    }

    /** Signals from rank 0 to rank 1, unless the window is closed before. */
    private static void signal(final Window window, final int rank)
    {
        try
        {
            if (rank == 0)
            {
                window.signal(1, 0);
            }
        }
        catch (final IllegalStateException closed)
        {
            assertTrue(closed.getMessage().contains("the window is closed"), closed::getMessage);
        }
    }

    /** Rank 0 wakes rank 1 only when the closing thread waits for the connecting thread. */
    private static Bootstrap wakingLate(
        final Bootstrap bootstrap, final CountDownLatch wakes, final CompletableFuture<Thread> closing)
    {
        return InterceptedBootstrap.of(bootstrap, (method, arguments, call) ->
        {
            if (method.equals("putAsync") && bootstrap.rank() == 0 &&
                ((String)arguments[0]).contains('/' + WindowAcceptor.WAKE_KEY + 1))
            {
                wakes.countDown();
                WaitingThread.await(closing.get(), "endConnecting");
            }
            return call.with(arguments);
        });
    }
}
