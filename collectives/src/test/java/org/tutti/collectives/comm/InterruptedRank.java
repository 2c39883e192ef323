/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveInterruptedException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.progress.WaitingThread;

import java.util.concurrent.TimeUnit;

/** One of two ranks in separate processes: each waits for a message of the other, and one is interrupted. */
public final class InterruptedRank
{
    private InterruptedRank()
    {
    }

    /**
     * Prints the outcome of the wait.
     *
     * @param arguments the rank to interrupt, and the number of milliseconds that it must have waited before.
     */
    public static void main(final String[] arguments)
    {
        try (Communicator world = Communicator.world())
        {
            world.barrier();
            if (world.rank() == Integer.parseInt(arguments[0]))
            {
                interruptWhenWaiting(Thread.currentThread(), Long.parseLong(arguments[1]));
            }
            world.recv(new int[1], 1 - world.rank());
        }
        catch (final CollectiveInterruptedException e)
        {
            System.out.println("interrupted=" + Thread.currentThread().isInterrupted() + " " + e.getMessage());
        }
        catch (final CollectiveException e)
        {
            System.out.println("failed " + e.getMessage());
        }
    }

    private static void interruptWhenWaiting(final Thread waiter, final long leastMs)
    {
        Thread.ofPlatform().daemon().start(() ->
        {
            try
            {
                WaitingThread.await(waiter);
                final long seenNs = System.nanoTime();
                while (System.nanoTime() - seenNs < TimeUnit.MILLISECONDS.toNanos(leastMs))
                {
                    WaitingThread.await(waiter);
                    Thread.sleep(1);
                }
                waiter.interrupt();
            }
            catch (final InterruptedException e)
            {
                throw new AssertionError(e);
            }
        });
    }
}
