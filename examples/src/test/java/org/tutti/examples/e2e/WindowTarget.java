/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.Window;

import java.lang.foreign.ValueLayout;

/**
 * A rank that passes numbers around a ring through a window, and then, if requested, waits for a signal that is never
 * sent: a target for {@link WindowsTest}.
 */
public final class WindowTarget
{
    private static final int COUNT = 1_000;
    private static final int ROUNDS = 200;

    private WindowTarget()
    {
    }

    /**
     * Runs a rank.
     *
     * @param arguments rank that all others wait for in the end, or none.
     */
    public static void main(final String[] arguments)
    {
        try (Communicator communicator = Communicator.world();
            DataBuffer inbox = communicator.allocate(DataType.INT64, 2 * COUNT);
            DataBuffer outbox = communicator.allocate(DataType.INT64, COUNT);
            Window window = communicator.window(inbox))
        {
            final int rank = communicator.rank();
            final int size = communicator.size();
            final int left = (rank + size - 1) % size;
            for (int round = 0; round < ROUNDS; round++)
            {
                // Alternates between two halves: the sender has seen that the data of two rounds ago was read.
                final int half = round % 2 * COUNT;
                for (int i = 0; i < COUNT; i++)
                {
                    outbox.segment().setAtIndex(ValueLayout.JAVA_LONG, i, value(rank, round, i));
                }
                window.putSignal(outbox, 0, COUNT, (rank + 1) % size, half, round % 2);
                window.waitSignal(left, round % 2, 1);
                for (int i = 0; i < COUNT; i++)
                {
                    if (inbox.segment().getAtIndex(ValueLayout.JAVA_LONG, half + i) != value(left, round, i))
                    {
                        throw new IllegalStateException("round " + round + ", element " + i + " is wrong");
                    }
                }
                window.signal(left, 2);
                window.waitSignal((rank + 1) % size, 2, 1);
            }
            System.out.println("checked " + rank);
            if (arguments.length > 0)
            {
                final int silent = Integer.parseInt(arguments[0]);
                System.out.println("waiting " + rank);
                window.waitSignal(rank == silent ? left : silent, 7, 1);
            }
        }
    }

    private static long value(final int rank, final int round, final int index)
    {
        return rank * 1_000_000_007L + round * 10_007L + index;
    }
}
