/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.function.Consumer;

/** Holds the first failure that a rank is notified of, and passes it to a listener once. Thread-safe. */
public final class FailureNotice
{
    private volatile RankFailure failure;
    private Consumer<RankFailure> listener;
    private boolean isDelivered;

    /**
     * Records a failure unless there was an earlier one. Does not call the listener yet.
     *
     * @param failure the failure.
     * @return true if it is the first failure.
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
     * Returns the first failure.
     *
     * @return the failure, or null.
     */
    public RankFailure failure()
    {
        return failure;
    }

    /**
     * Sets the listener.
     *
     * @param listener the listener, which replaces an earlier one.
     */
    public synchronized void listener(final Consumer<RankFailure> listener)
    {
        this.listener = listener;
    }

    /** Calls the listener, without locks held, if there is a failure that has not been delivered. */
    public void tell()
    {
        final Consumer<RankFailure> called;
        synchronized (this)
        {
            if (failure == null || listener == null || isDelivered)
            {
                return;
            }
            isDelivered = true;
            called = listener;
        }
        called.accept(failure);
    }

    /**
     * Throws if this rank has been notified of a failure.
     *
     * @throws BootstrapException if there is a failure.
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
