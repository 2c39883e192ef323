/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import java.util.concurrent.CancellationException;

/** Somebody will wait for signals: they are taken by whoever tests or awaits it first after they have come. */
final class SignalRequest extends WindowTask
{
    private final WindowEnd end;
    private final int rank;
    private final int signal;
    private final long count;
    private boolean isTaken;
    private boolean isCancelled;

    SignalRequest(final WindowEnd end, final int rank, final int signal, final long count, final long timeoutNs)
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
        if (!take())
        {
            end.lookForSignal(0, 0, Long.MAX_VALUE, rank, signal, count);
            return false;
        }
        return true;
    }

    private synchronized boolean take()
    {
        if (isCancelled)
        {
            throw new CancellationException("the request was cancelled");
        }
        isTaken = isTaken || end.signals().tryTake(rank, signal, count);
        return isTaken;
    }

    @Override
    public void await()
    {
        long startNs = 0;
        for (int attempt = 0; !take(); attempt++)
        {
            startNs = end.lookForSignal(attempt, startNs, timeoutNs(), rank, signal, count);
            end.pause(attempt);
        }
    }

    @Override
    public synchronized boolean isDone()
    {
        return isTaken || isCancelled || end.failure() != null;
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
