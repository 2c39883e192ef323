/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/** Thrown when a rank died, or the job was ended, while this rank was in a collective. */
public final class RankFailedException extends CollectiveException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param peer    the rank that died, or -1 if the job was ended.
     * @param message what happened, and where.
     */
    public RankFailedException(final int peer, final String message)
    {
        super(peer, message, null);
    }
}
