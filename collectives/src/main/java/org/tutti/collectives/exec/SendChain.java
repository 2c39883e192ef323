/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.endpoint.Endpoint;

/**
 * Tracks the endpoint that has messages which are not flushed yet. They are flushed before another endpoint is used,
 * and before the caller computes or waits. Not thread-safe; allocates nothing.
 */
public final class SendChain
{
    private Endpoint endpoint;
    private boolean isChained;

    /** Sets the endpoint of the next message, and flushes the previous one if it differs. */
    @SuppressWarnings("ReferenceEquality") // Compares references to skip stores: see CollectiveCall.
    public void use(final Endpoint next)
    {
        if (endpoint != next)
        {
            flush();
            endpoint = next;
        }
        isChained = true;
    }

    /** Flushes the messages that are not flushed yet. */
    public void flush()
    {
        if (isChained)
        {
            isChained = false;
            endpoint.flush();
        }
    }
}
