/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.function.Consumer;

/** The first failure that a rank hears of, and the listener that is told of it, once. Thread-safe. */
public final class FailureNotice
{
    private volatile RankFailure failure;
    private Consumer<RankFailure> listener;
    private boolean isTold;

    /**
     * Keeps a failure unless there was one before, and does not call the listener yet.
     *
     * @param failure the failure that happened.
     * @return whether it is the first.
     */
    public synchronized boolean raise(final RankFailure failure)
    {
        if (this.failure != null)
        {
            return false;
        }
        this.failure = failure;
        return true;
    }

    /**
     * The first failure.
     *
     * @return it, or null.
     */
    public RankFailure failure()
    {
        return failure;
    }

    /**
     * Sets the listener.
     *
     * @param listener replaces an earlier one.
     */
    public synchronized void listener(final Consumer<RankFailure> listener)
    {
        this.listener = listener;
    }

    /** Tells the listener if there is a failure that it has not been told of. Called without locks held. */
    public void tell()
    {
        final Consumer<RankFailure> toTell;
        synchronized (this)
        {
            if (failure == null || listener == null || isTold)
            {
                return;
            }
            isTold = true;
            toTell = listener;
        }
        toTell.accept(failure);
    }

    /**
     * Ends a call of a rank that has heard of a failure.
     *
     * @throws BootstrapException if there is one.
     */
    public void check()
    {
        final RankFailure first = failure;
        if (first != null)
        {
            throw new BootstrapException(first.toString());
        }
    }
}
