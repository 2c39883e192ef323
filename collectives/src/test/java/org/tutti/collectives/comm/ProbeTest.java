/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.MessageStatus;
import org.tutti.collectives.progress.WaitingThread;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.collectives.PointToPoint.ANY_SOURCE;
import static org.tutti.collectives.PointToPoint.ANY_TAG;

/** Probes find messages without receiving them, and end when none can come. */
@Timeout(60)
class ProbeTest
{
    @Test
    void shouldProbeAndThenReceiveTheRightLength()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final MessageStatus status = new MessageStatus();
                if (communicator.rank() > 0)
                {
                    communicator.send(new int[1_000 * communicator.rank()], 0, communicator.rank());
                    return;
                }
                for (int i = 0; i < 2; i++)
                {
                    communicator.probe(ANY_SOURCE, ANY_TAG, status);
                    final int source = status.source();
                    assertEquals(source, status.tag());
                    assertEquals(1_000L * source, status.count());
                    assertTrue(communicator.iprobe(source, source, null));
                    communicator.recv(new int[(int)status.count()], source, status.tag());
                    assertFalse(communicator.iprobe(source, ANY_TAG, status));
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFailAProbeOfARankThatHasClosed(final boolean isConnected)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 1)
                {
                    if (isConnected)
                    {
                        communicator.send(new int[1], 0);
                    }
                    communicator.close();
                    return;
                }
                if (isConnected)
                {
                    communicator.probe(1, ANY_TAG, null);
                    communicator.recv(new int[1], 1);
                }
                assertFalse(communicator.iprobe(1, ANY_TAG, null));
                final CollectiveException e =
                    assertThrows(CollectiveException.class, () -> communicator.probe(1, ANY_TAG, null));
                assertEquals(1, e.peer());
            });
        }
    }

    /** A program that only looks for messages must not do so forever. */
    @Test
    void shouldFailAProgramThatLooksForMessagesWhenARankFails()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 1)
                {
                    communicator.send(new int[1], 0);
                    ranks.team(1).abort("rank 1 failed in the test", null);
                    return;
                }
                communicator.recv(new int[1], 1);
                assertThrows(CollectiveException.class, () ->
                {
                    while (!communicator.iprobe(1, ANY_TAG, null))
                    {
                        Thread.onSpinWait();
                    }
                });
            });
        }
    }

    /** The thread that receives holds the lock when the message arrives that the other one looks for. */
    @Test
    void shouldEndAProbeWhileAnotherThreadReceives()
    {
        final CountDownLatch receiving = new CountDownLatch(1);
        final CountDownLatch probed = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 1)
                {
                    receiving.await();
                    communicator.send(new int[1], 0, 1);
                    probed.await();
                    communicator.send(new int[1], 0, 2);
                    return;
                }
                final FutureTask<?> probe = new FutureTask<>(() -> communicator.probe(1, 1, null), null);
                final FutureTask<?> receive = new FutureTask<>(() -> communicator.recv(new int[1], 1, 2), null);
                final Thread probing = Thread.ofPlatform().daemon().start(probe);
                WaitingThread.await(probing, "waitOrProgress");
                WaitingThread.await(Thread.ofPlatform().daemon().start(receive), "waitOrProgress");
                receiving.countDown();
                probe.get();
                probed.countDown();
                receive.get();
                communicator.recv(new int[1], 1, 1);
            });
        }
    }
}
