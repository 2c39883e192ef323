/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.Window;

import java.time.Duration;

/**
 * Rank 0 repeatedly puts into the memory of rank 1 until a put fails; rank 1 makes no call that sends, and is killed: a
 * target for {@link WindowsTest} and {@link OneHostVerbsTest}.
 */
public final class PutTarget
{
    /** The target rank of the puts. */
    static final int VICTIM = 1;

    private static final int COUNT = 20_000;
    private static final int WINDOW = 16;
    private static final Duration FOR_EVER = Duration.ofMinutes(10);

    private PutTarget()
    {
    }

    /**
     * Runs a rank.
     *
     * @param arguments unused.
     */
    public static void main(final String[] arguments)
    {
        try (Communicator communicator = Communicator.world();
            DataBuffer memory = communicator.allocate(DataType.INT32, COUNT);
            Window window = communicator.window(memory))
        {
            if (communicator.rank() == VICTIM)
            {
                window.waitSignal(0, 0, 1);
                System.out.println("put into");
                window.withTimeout(FOR_EVER).waitSignal(0, 1, 1);
                return;
            }
            window.putSignal(memory, 0, COUNT, VICTIM, 0, 0);
            while (true)
            {
                for (int i = 0; i < WINDOW; i++)
                {
                    window.iput(memory, 0, COUNT, VICTIM, 0);
                }
                window.flush(VICTIM);
            }
        }
    }
}
