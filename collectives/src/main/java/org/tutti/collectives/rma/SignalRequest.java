/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/** A request for signals. The first test or await after their arrival takes them. */
final class SignalRequest extends AbstractWindowRequest
{
    private static final long QUERY_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final LocalWindow window;
    private final int rank;
    private final int signal;
    private final long count;
    private boolean isTaken;
    private boolean isCancelled;
    private long queriedNs = System.nanoTime();

    SignalRequest(final LocalWindow window, final int rank, final int signal, final long count, final long timeoutNs)
    {
        super(timeoutNs);
        this.window = window;
        this.rank = rank;
        this.signal = signal;
        this.count = count;
    }

    @Override
    public boolean test()
    {
        if (take())
        {
            return true;
        }
        window.enter();
        try
        {
            window.incoming().requireExpected(rank, signal, count, isTimeToQuery());
        }
        finally
        {
            window.exit();
        }
        return false;
    }

    /**
     * Returns whether to query now if the other rank has closed the window, so that a caller that only tests detects
     * that, too.
     */
    private synchronized boolean isTimeToQuery()
    {
        final long now = System.nanoTime();
        final boolean isTime = now - queriedNs > QUERY_INTERVAL_NS;
        queriedNs = isTime ? now : queriedNs;
        return isTime;
    }

    private synchronized boolean take()
    {
        if (isCancelled)
        {
            throw new CancellationException("the request was cancelled");
        }
        isTaken = isTaken || window.incoming().tryTake(rank, signal, count);
        return isTaken;
    }

    @Override
    public void await()
    {
        if (take())
        {
            return;
        }
        window.enter();
        try
        {
            long startNs = 0;
            for (int attempt = 0; !take(); attempt++)
            {
                startNs = window.incoming().look(attempt, startNs, timeoutNs(), rank, signal, count);
                window.pause(attempt);
            }
        }
        finally
        {
            window.exit();
        }
    }

    @Override
    public synchronized boolean isDone()
    {
        return isTaken || isCancelled || window.isFreed() || window.failure() != null;
    }

    @Override
    public synchronized boolean cancel()
    {
        if (isTaken)
        {
            return false;
        }
        isCancelled = true;
        return true;
    }
}
