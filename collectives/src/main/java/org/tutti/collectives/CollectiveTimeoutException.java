/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/** A collective did not end before its deadline; the message names the ranks that were waited for. */
public final class CollectiveTimeoutException extends CollectiveException
{
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param peer    the rank that is late, -1 when none is known to be.
     * @param message what was waited for, for how long, and where that rank is.
     */
    public CollectiveTimeoutException(final int peer, final String message)
    {
        super(peer, message, null);
    }
}
