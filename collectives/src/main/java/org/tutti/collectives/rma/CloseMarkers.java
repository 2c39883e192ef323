/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapRequest;

/**
 * Which ranks of a window put, get and signal no more: each leaves a mark in the window's store. Of a job that has
 * failed there is no store to ask, and nobody to be told: whoever waits learns it by other ways. Thread-safe.
 */
final class CloseMarkers
{
    /** How the keys of markers begin, below the window's own prefix. */
    static final String KEY = "end/";

    private static final byte[] NOTHING = {};

    private final Bootstrap bootstrap;
    /** By rank: asks for its mark; the answer of one that has left it stays. */
    private final BootstrapRequest[] requests;

    /**
     * Of a window.
     *
     * @param bootstrap bootstrap of the window, the caller's.
     */
    CloseMarkers(final Bootstrap bootstrap)
    {
        this.bootstrap = bootstrap;
        requests = new BootstrapRequest[bootstrap.size()];
    }

    /** Leaves that of this rank. */
    void leave()
    {
        try
        {
            bootstrap.put(key(bootstrap.rank()), NOTHING);
        }
        catch (final BootstrapException jobFailed)
        {
            // Then nobody waits for this rank.
        }
    }

    /** Whether a rank is known to have left one. Does not wait: the store answers before the next call of this. */
    synchronized boolean has(final int rank)
    {
        try
        {
            if (requests[rank] == null)
            {
                requests[rank] = bootstrap.getAsync(key(rank));
            }
            if (!requests[rank].test())
            {
                return false;
            }
            final boolean isLeft = requests[rank].value() != null;
            requests[rank] = isLeft ? requests[rank] : null;
            return isLeft;
        }
        catch (final BootstrapException jobFailed)
        {
            return false;
        }
    }

    /** Removes that of this rank, which nobody asks for any more. */
    void remove()
    {
        try
        {
            bootstrap.take(key(bootstrap.rank()));
        }
        catch (final BootstrapException jobFailed)
        {
            // The store has ended with the job.
        }
    }

    private static String key(final int rank)
    {
        return KEY + rank;
    }
}
