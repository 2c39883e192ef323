/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;

/**
 * Where a rank that waits for long says what it calls, for those it has no connection with: the bootstrap carries a
 * copy of its {@link ControlBlock} to whoever asks. It is written once a call at most, and never while all is well. Not
 * thread-safe.
 */
final class CallBoard
{
    private static final String KEY = "calls/";

    private final Bootstrap bootstrap;
    private final ControlBlock own;
    private long published = Long.MIN_VALUE;

    CallBoard(final Bootstrap bootstrap, final ControlBlock own)
    {
        this.bootstrap = bootstrap;
        this.own = own;
    }

    /** Publishes what this rank calls, unless it has since it began its last call. */
    void publish()
    {
        if (published != own.entered() && bootstrap.size() > 1)
        {
            published = own.entered();
            bootstrap.put(KEY + bootstrap.rank(), own.copy());
        }
    }

    /** Publishes that this rank makes no more calls. */
    void publishEnd()
    {
        published = Long.MIN_VALUE;
        publish();
    }

    /**
     * What a peer has published.
     *
     * @return null if it has published nothing, or the bootstrap does not work any more.
     */
    ControlBlock read(final int peer)
    {
        try
        {
            final byte[] bytes = bootstrap.get(KEY + peer);
            return bytes == null || bytes.length < ControlBlock.EXPOSURES_OFFSET ? null :
                new ControlBlock(new UnsafeBuffer(bytes));
        }
        catch (final BootstrapException e)
        {
            // The job failed: that is reported where it is seen.
            return null;
        }
    }

    /** Removes what this rank has published, when all have closed. */
    void clear()
    {
        try
        {
            if (published != Long.MIN_VALUE)
            {
                bootstrap.take(KEY + bootstrap.rank());
            }
        }
        catch (final BootstrapException e)
        {
            // The job has ended, and the board with it.
        }
    }
}
