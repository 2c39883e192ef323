/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/**
 * The thread was interrupted, before or while it waited for other ranks. Its interrupt status is set when this is
 * thrown.
 */
public final class BootstrapInterruptedException extends BootstrapException
{
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message which rank and thread waited, and for what.
     */
    public BootstrapInterruptedException(final String message)
    {
        super(message);
    }

    /**
     * The calling thread was interrupted while its rank waited; its interrupt status is set again.
     *
     * @param rank   name of the rank that waited, such as "rank 3".
     * @param waited what for, such as "it waited for other ranks".
     * @return to be thrown.
     */
    public static BootstrapInterruptedException of(final String rank, final String waited)
    {
        final Thread thread = Thread.currentThread();
        thread.interrupt();
        return new BootstrapInterruptedException(
            rank + ": thread " + thread.getName() + " was interrupted while " + waited);
    }
}
