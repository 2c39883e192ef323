/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * A collective failed, and with it the communicator. The message says on which rank and host, in which call, at which
 * sequence number, and why.
 */
public class CollectiveException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int peer;

    /**
     * With a message.
     *
     * @param peer    the rank that the failure is laid to, -1 when none or not known.
     * @param message what happened, where, and the fix.
     * @param cause   beneath it, or null.
     */
    public CollectiveException(final int peer, final String message, final Throwable cause)
    {
        super(message, cause);
        this.peer = peer;
    }

    /**
     * The rank that the failure is laid to.
     *
     * @return a rank, or -1 when none or not known.
     */
    public final int peer()
    {
        return peer;
    }
}
