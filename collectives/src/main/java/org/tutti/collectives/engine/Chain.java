/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

/**
 * Messages to one peer in a row, which are posted together: to go on with another peer, or to compute or wait, posts
 * them. Not thread-safe; allocates nothing.
 */
final class Chain
{
    private Connection last;

    /** The peer that the next message goes to; posts those to another one. */
    Connection to(final Connection connection)
    {
        if (last != connection)
        {
            flush();
            last = connection;
        }
        return connection;
    }

    /** Posts what there is. */
    void flush()
    {
        if (last != null)
        {
            last.flush();
            last = null;
        }
    }
}
