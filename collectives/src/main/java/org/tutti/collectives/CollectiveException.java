/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * Thrown when a collective, and with it the communicator, has failed. The message names the rank and host, the call and
 * its sequence number, and the reason.
 */
public class CollectiveException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int peer;

    /**
     * Creates an exception.
     *
     * @param peer    the rank that caused the failure, or -1 if none or unknown.
     * @param message what happened, where, and the fix.
     * @param cause   the underlying exception, or null.
     */
    public CollectiveException(final int peer, final String message, final Throwable cause)
    {
        super(message, cause);
        this.peer = peer;
    }

    /**
     * Returns the rank that caused the failure.
     *
     * @return a rank, or -1 if none or unknown.
     */
    public final int peer()
    {
        return peer;
    }
}
