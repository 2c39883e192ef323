/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import java.util.concurrent.atomic.AtomicReference;

/** The thread whose calls a communicator collects into a group, if any. Thread-safe; allocates nothing. */
public final class GroupOwner
{
    private final AtomicReference<Thread> owner = new AtomicReference<>();
    /** Whether the owner executes the collected calls. Used by the owner only. */
    private boolean making;

    /** Whether calls of the calling thread are collected; only that thread itself changes this. */
    public boolean isOpenHere()
    {
        final Thread thread = owner.getPlain();
        return thread != null && thread == Thread.currentThread() && !making;
    }

    /**
     * Opens a group for the calling thread.
     *
     * @return false if another thread has one open.
     */
    public boolean tryOpen()
    {
        return owner.compareAndSet(null, Thread.currentThread());
    }

    /** Records that the owner now executes the collected calls: from now on its calls are no longer collected. */
    public void making()
    {
        making = true;
    }

    /** Closes the group. */
    public void close()
    {
        making = false;
        owner.set(null);
    }
}
