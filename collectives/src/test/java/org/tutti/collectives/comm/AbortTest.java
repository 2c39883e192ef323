/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataType;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.Window;
import org.tutti.collectives.progress.WaitingThread;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A rank that cannot go on ends the calls of all ranks. */
class AbortTest
{
    @Test
    void shouldEndAllWaitsOfOtherRanksWithTheReason()
    {
        try (Ranks ranks = new Ranks(4))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                switch (communicator.rank())
                {
                    case 0 -> communicator.barrier();
                    // Waits for a rank that waits itself.
                    case 1 -> communicator.recv(new int[1], 0, 0);
                    case 2 -> window.waitSignal(0, 0, 1);
                    default ->
                    {
                        ranks.awaitWaiting(0, "barrier");
                        ranks.awaitWaiting(1, "recv");
                        ranks.awaitWaiting(2, "waitSignal");
                        communicator.abort("file is damaged\n  at offset 7\n");
                    }
                }
            });

            for (int rank = 0; rank < 3; rank++)
            {
                final RankFailedException error = assertInstanceOf(RankFailedException.class, thrown.get(rank));
                assertEquals(3, error.peer());
                assertTrue(error.getMessage().contains("failed: rank 3 on "), error::getMessage);
                assertTrue(error.getMessage().endsWith("failed: aborted: file is damaged at offset 7"),
                    error::getMessage);
            }
            assertNull(thrown.get(3));
            final CollectiveException own =
                assertThrows(CollectiveException.class, () -> ranks.communicator(3).barrier());
            assertTrue(own.getMessage().startsWith("the communicator has failed: rank 3"), own::getMessage);
            assertTrue(own.getMessage().endsWith(" aborted the job: file is damaged at offset 7"), own::getMessage);
            assertEquals(3, own.peer());
        }
    }

    @Test
    void shouldEndTheCallOfAnotherThreadOfThisRank()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    final FutureTask<Void> call = new FutureTask<>(communicator::barrier, null);
                    WaitingThread.await(Thread.ofPlatform().start(call), "barrier");

                    communicator.abort("out of patience");

                    final Throwable thrown = assertThrows(ExecutionException.class, call::get).getCause();
                    assertInstanceOf(CollectiveException.class, thrown);
                    assertTrue(thrown.getMessage().contains("out of patience"), thrown::getMessage);
                }
            });
        }
    }

    @Test
    void shouldFailAllCommunicatorsOfTheJob()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                try (Communicator copy = communicator.dup())
                {
                    if (communicator.rank() == 0)
                    {
                        copy.abort("no more data");
                    }
                    final CollectiveException thrown =
                        assertThrows(CollectiveException.class, communicator::barrier);
                    assertEquals(0, thrown.peer());
                    assertTrue(thrown.getMessage().endsWith("no more data"), thrown::getMessage);
                }
            });
        }
    }

    @Test
    void shouldKeepTheFirstReason()
    {
        try (Ranks ranks = new Ranks(1))
        {
            final Communicator communicator = ranks.communicator(0);
            communicator.abort("first");
            communicator.abort("second");

            final CollectiveException thrown = assertThrows(CollectiveException.class, communicator::barrier);
            assertTrue(thrown.getMessage().endsWith(" aborted the job: first"), thrown::getMessage);
        }
    }

    @Test
    void shouldCutLongReasons()
    {
        try (Ranks ranks = new Ranks(1))
        {
            ranks.communicator(0).abort("x".repeat(100_000));

            final CollectiveException thrown =
                assertThrows(CollectiveException.class, () -> ranks.communicator(0).barrier());
            assertTrue(thrown.getMessage().endsWith(": " + "x".repeat(1000) + "…"), thrown::getMessage);
        }
    }

    @Test
    void shouldRejectBlankReasonAndClosedCommunicator()
    {
        try (Ranks ranks = new Ranks(1))
        {
            final Communicator communicator = ranks.communicator(0);

            assertEquals("the reason is blank: state why this rank cannot go on",
                assertThrows(IllegalArgumentException.class, () -> communicator.abort(" \n")).getMessage());
            communicator.barrier();
            communicator.close();
            assertThrows(IllegalStateException.class, () -> communicator.abort("late"));
        }
    }
}
