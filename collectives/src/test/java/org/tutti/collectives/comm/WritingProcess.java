/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataType;
import org.tutti.collectives.JoinOptions;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** A process that closes communicators while a thread writes to their memory, and prints how each write ended. */
public final class WritingProcess
{
    private static final int COUNT = 1 << 16;

    private WritingProcess()
    {
    }

    /**
     * Runs the process.
     *
     * @param arguments number of communicators, one after the other.
     */
    public static void main(final String[] arguments) throws Exception
    {
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++)
        {
            final CountDownLatch hasWritten = new CountDownLatch(1);
            final FutureTask<String> writing;
            try (Communicator communicator = Communicator.join(JoinOptions.of(0, 1)))
            {
                // Freed with the communicator.
                final MemorySegment elements = communicator.allocate(DataType.INT64, COUNT).segment();
                writing = new FutureTask<>(() -> write(elements, hasWritten));
                Thread.ofPlatform().daemon().start(writing);
                hasWritten.await();
            }
            System.out.println(writing.get());
        }
    }

    /** Writes until that fails. */
    private static String write(final MemorySegment elements, final CountDownLatch hasWritten)
    {
        try
        {
            for (long i = 0; true; i++)
            {
                elements.setAtIndex(ValueLayout.JAVA_LONG, i % COUNT, i);
                if (i == COUNT)
                {
                    hasWritten.countDown();
                }
            }
        }
        catch (final IllegalStateException e)
        {
            return "closed";
        }
    }
}
