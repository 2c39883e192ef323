/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * Thrown when the calling thread is interrupted before or while it waits for other ranks or threads. The thread's
 * interrupt status stays set. {@link #peer()} is the rank of the thread itself.
 */
public final class CollectiveInterruptedException extends CollectiveException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param rank    rank of the thread, from 0.
     * @param message which thread was interrupted, in which call, and what it waited for.
     */
    public CollectiveInterruptedException(final int rank, final String message)
    {
        super(rank, message, null);
    }
}
