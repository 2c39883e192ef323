/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * Thrown when a collective does not complete before its deadline; the message names the late ranks, if they are known.
 */
public final class CollectiveTimeoutException extends CollectiveException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param peer    the late rank, or -1 if none is known.
     * @param message what the call waited for, how long, and what the late rank is doing.
     */
    public CollectiveTimeoutException(final int peer, final String message)
    {
        super(peer, message, null);
    }
}
