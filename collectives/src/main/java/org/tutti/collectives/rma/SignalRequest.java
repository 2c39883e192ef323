/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/** Somebody will wait for signals: they are taken by whoever tests or awaits it first after they have come. */
final class SignalRequest extends WindowTask
{
    private static final long QUESTION_NS = TimeUnit.SECONDS.toNanos(1);

    private final LocalWindow end;
    private final int rank;
    private final int signal;
    private final long count;
    private boolean isTaken;
    private boolean isCancelled;
    private long askedNs = System.nanoTime();

    SignalRequest(final LocalWindow end, final int rank, final int signal, final long count, final long timeoutNs)
    {
        super(timeoutNs);
        this.end = end;
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
        end.enter();
        try
        {
            end.incoming().requireExpected(rank, signal, count, isTimeToAsk());
        }
        finally
        {
            end.exit();
        }
        return false;
    }

    /** Whoever tests in a loop, too, learns that the other rank has closed. */
    private synchronized boolean isTimeToAsk()
    {
        final long now = System.nanoTime();
        final boolean isTime = now - askedNs > QUESTION_NS;
        askedNs = isTime ? now : askedNs;
        return isTime;
    }

    private synchronized boolean take()
    {
        if (isCancelled)
        {
            throw new CancellationException("the request was cancelled");
        }
        isTaken = isTaken || end.incoming().tryTake(rank, signal, count);
        return isTaken;
    }

    @Override
    public void await()
    {
        if (take())
        {
            return;
        }
        end.enter();
        try
        {
            long startNs = 0;
            for (int attempt = 0; !take(); attempt++)
            {
                startNs = end.incoming().look(attempt, startNs, timeoutNs(), rank, signal, count);
                end.pause(attempt);
            }
        }
        finally
        {
            end.exit();
        }
    }

    @Override
    public synchronized boolean isDone()
    {
        return isTaken || isCancelled || end.isFreed() || end.failure() != null;
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
