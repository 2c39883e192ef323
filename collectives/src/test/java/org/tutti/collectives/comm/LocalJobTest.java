/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.LocalJob;
import org.tutti.collectives.ReduceOp;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(JoiningThreads.LIMIT_S)
class LocalJobTest
{
    @Test
    void shouldReturnResultsByRank()
    {
        assertEquals(List.of(60, 61, 62), LocalJob.call(3, communicator ->
        {
            final int[] values = {10 * (communicator.rank() + 1)};
            communicator.allreduce(values, ReduceOp.SUM);
            return values[0] + communicator.rank();
        }));
    }

    @Test
    void shouldApplyOptionsToAllRanks()
    {
        final CountDownLatch isLate = new CountDownLatch(1);
        LocalJob.call(2, JoinOptions.ofEnvironment().timeout(Duration.ofMillis(20)), communicator ->
        {
            if (communicator.rank() == 0)
            {
                assertThrows(CollectiveTimeoutException.class, communicator::barrier);
                isLate.countDown();
            }
            isLate.await();
            return null;
        });
        final ConfigurationException thrown = assertThrows(ConfigurationException.class,
            () -> LocalJob.call(2, JoinOptions.ofEnvironment().outstanding(99), Communicator::size));
        assertEquals("tutti.outstanding='99' is not a number from 1 to 16", thrown.getMessage());
    }

    /** The other ranks wait for the one that fails: they must end, and the error that is thrown must be its own. */
    @Test
    void shouldThrowFirstErrorAndEndRanksThatWait()
    {
        final AssertionError expected = new AssertionError("wrong");

        final AssertionError thrown = assertThrows(AssertionError.class, () -> LocalJob.run(3, communicator ->
        {
            if (communicator.rank() == 1)
            {
                throw expected;
            }
            communicator.barrier();
        }));

        assertSame(expected, thrown);
        for (final Throwable other : thrown.getSuppressed())
        {
            assertInstanceOf(CollectiveException.class, other);
            assertTrue(
                other.getMessage().contains("rank 1 failed: java.lang.AssertionError: wrong"), other::getMessage);
        }
        assertEquals(2, thrown.getSuppressed().length);
    }

    @Test
    void shouldThrowCheckedExceptionAsCause()
    {
        final CompletionException thrown = assertThrows(CompletionException.class, () -> LocalJob.run(2, communicator ->
        {
            throw new IOException("disk of rank " + communicator.rank());
        }));

        assertInstanceOf(IOException.class, thrown.getCause());
    }

    @Test
    void shouldInterruptRanksWhenCallerIsInterrupted() throws Exception
    {
        final CountDownLatch isRunning = new CountDownLatch(1);
        final Thread[] ranks = new Thread[2];
        final Throwable[] thrown = new Throwable[1];
        final Thread caller = Thread.ofPlatform().start(() -> thrown[0] = assertThrows(
            BootstrapInterruptedException.class, () -> LocalJob.run(2, communicator ->
            {
                ranks[communicator.rank()] = Thread.currentThread();
                if (communicator.rank() == 0)
                {
                    isRunning.countDown();
                    communicator.barrier();
                }
                new CountDownLatch(1).await();
            })));

        isRunning.await();
        caller.interrupt();
        caller.join();

        assertInstanceOf(BootstrapInterruptedException.class, thrown[0]);
        for (final Thread rank : ranks)
        {
            if (rank != null)
            {
                // Its thread may end a moment later.
                rank.join();
            }
        }
    }

    @Test
    void shouldRejectSizeBelowOne()
    {
        assertEquals("the number of ranks is 0: must be at least 1", assertThrows(
            IllegalArgumentException.class, () -> LocalJob.run(0, Communicator::barrier)).getMessage());
    }
}
