/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.endpoint.Endpoint;

/**
 * Messages that were given to one endpoint and are not flushed yet: to go on with another endpoint, or to compute or
 * wait, flushes them. Not thread-safe; allocates nothing.
 */
final class SendChain
{
    private Endpoint endpoint;

    /** The next message goes to this endpoint. */
    void use(final Endpoint next)
    {
        if (endpoint != next)
        {
            flush();
            endpoint = next;
        }
    }

    void flush()
    {
        if (endpoint != null)
        {
            endpoint.flush();
            endpoint = null;
        }
    }
}
