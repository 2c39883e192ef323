/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * The thread was interrupted, before or while its call waited for other ranks or threads. Its interrupt status is set
 * when this is thrown. {@link #peer()} is the rank of the thread itself.
 */
public final class CollectiveInterruptedException extends CollectiveException
{
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param rank    rank of the thread, from 0.
     * @param message which thread was interrupted, in which call, and what it waited for.
     */
    public CollectiveInterruptedException(final int rank, final String message)
    {
        super(rank, message, null);
    }
}
