/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/**
 * Thrown if the calling thread was interrupted, before or while it waited for other ranks. The thread's interrupt
 * status is set.
 */
public final class BootstrapInterruptedException extends BootstrapException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception with a message.
     *
     * @param message the rank and thread that waited, and the reason of the wait.
     */
    public BootstrapInterruptedException(final String message)
    {
        super(message);
    }

    /**
     * Creates the exception for the calling thread, which was interrupted while its rank waited, and sets its interrupt
     * status.
     *
     * @param rank   the name of the rank, such as "rank 3".
     * @param waited the interrupted action, such as "it waited for other ranks".
     * @return the exception, to be thrown.
     */
    public static BootstrapInterruptedException of(final String rank, final String waited)
    {
        final Thread thread = Thread.currentThread();
        thread.interrupt();
        return new BootstrapInterruptedException(
            rank + ": thread " + thread.getName() + " was interrupted while " + waited);
    }
}
