/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import java.util.concurrent.atomic.AtomicReference;

/** The thread whose calls a communicator collects into a group, if there is one. Thread-safe; allocates nothing. */
public final class GroupOwner
{
    private final AtomicReference<Thread> owner = new AtomicReference<>();
    /** Whether the owner makes the calls that it has collected. Used by the owner. */
    private boolean making;

    /** Whether calls of this thread are collected. Only the thread itself changes what that is for it. */
    public boolean isOpenHere()
    {
        final Thread thread = owner.getPlain();
        return thread != null && thread == Thread.currentThread() && !making;
    }

    /**
     * Opens a group of the calling thread.
     *
     * @return false if another thread has one.
     */
    public boolean tryOpen()
    {
        return owner.compareAndSet(null, Thread.currentThread());
    }

    /** The owner makes the calls from now on: they are no longer collected. */
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
