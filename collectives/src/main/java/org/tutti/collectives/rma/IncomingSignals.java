/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.bootstrap.RankFailure;

/** Waits for and takes the signals that arrive at this rank of a window. Thread-safe; allocates nothing. */
final class IncomingSignals
{
    /** The number of pauses, about one second, between two checks of whether the other rank has closed the window. */
    private static final int PAUSES_PER_CLOSE_CHECK = 4096;

    private final LocalWindow window;
    private final Signals signals;
    private final CloseMarkers markers;

    IncomingSignals(final LocalWindow window, final Signals signals, final CloseMarkers markers)
    {
        this.window = window;
        this.signals = signals;
        this.markers = markers;
    }

    /** Waits for signals, and takes them. */
    void await(final int rank, final int signal, final long count, final long timeoutNs)
    {
        window.enter();
        try
        {
            long startNs = 0;
            for (int attempt = 0; !signals.tryTake(rank, signal, count); attempt++)
            {
                startNs = look(attempt, startNs, timeoutNs, rank, signal, count);
                window.pause(attempt);
            }
        }
        finally
        {
            window.exit();
        }
    }

    /** Takes the given number of signals, or none. */
    boolean tryTake(final int rank, final int signal, final long count)
    {
        window.enter();
        try
        {
            return signals.tryTake(rank, signal, count);
        }
        finally
        {
            window.exit();
        }
    }

    /** Returns the number of signals that have arrived and are not taken. */
    long pending(final int rank, final int signal)
    {
        window.enter();
        try
        {
            return signals.pending(rank, signal);
        }
        finally
        {
            window.exit();
        }
    }

    /** As {@link LocalWindow#look}, for a thread that waits for signals and has called {@link LocalWindow#enter}. */
    long look(
        final int attempt, final long startNs, final long timeoutNs, final int rank, final int signal,
        final long count)
    {
        if (!window.shouldCheck(attempt))
        {
            return startNs;
        }
        requireExpected(rank, signal, count, attempt % PAUSES_PER_CLOSE_CHECK == PAUSES_PER_CLOSE_CHECK - 1);
        if (Thread.currentThread().isInterrupted())
        {
            throw window.fail(window.errors().interrupted(rank, waiting(rank, signal, count)));
        }
        final long now = System.nanoTime();
        if (startNs != 0 && now - startNs >= timeoutNs)
        {
            throw window.fail(window.errors().timeout(rank, waiting(rank, signal, count), timeoutNs));
        }
        return startNs == 0 ? now : startNs;
    }

    /**
     * Throws if signals can no longer arrive. The caller has called {@link LocalWindow#enter}.
     *
     * @param queriesClose whether to query the store, too, for the other rank's close marker, which takes longer.
     */
    void requireExpected(final int rank, final int signal, final long count, final boolean queriesClose)
    {
        window.requireNotFailed();
        final String closingThread = window.closingThread();
        if (closingThread != null)
        {
            throw window.fail(window.errors().closing(rank, waiting(rank, signal, count), closingThread));
        }
        final RankFailure rankFailure = window.team().bootstrap().failure();
        if (rankFailure != null)
        {
            throw window.fail(window.errors().rankFailed(waiting(rank, signal, count), rankFailure));
        }
        if (window.isClosed())
        {
            throw window.problem();
        }
        window.requireDevice(rank);
        if (queriesClose && markers.has(rank) && signals.pending(rank, signal) < count)
        {
            throw window.fail(window.errors().closed(rank, waiting(rank, signal, count)));
        }
    }

    private String waiting(final int rank, final int signal, final long count)
    {
        return window.errors().waitSignal(rank, signal, signals.pending(rank, signal), count);
    }
}
