/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapRequest;

/**
 * The ranks that have closed a window and will not put, get or signal again: each leaves a marker in the window's
 * store. A failed job has no store; waiting ranks detect that failure elsewhere. Thread-safe.
 */
final class CloseMarkers
{
    /** The prefix of marker keys, below the window's own prefix. */
    static final String KEY = "end/";

    private static final byte[] NOTHING = {};

    private final Bootstrap bootstrap;
    /** By rank, the request for its marker; kept once the marker is found. */
    private final BootstrapRequest[] requests;

    /**
     * Creates the markers of a window.
     *
     * @param bootstrap bootstrap of the window, owned by the caller.
     */
    CloseMarkers(final Bootstrap bootstrap)
    {
        this.bootstrap = bootstrap;
        requests = new BootstrapRequest[bootstrap.size()];
    }

    /** Leaves this rank's marker. */
    void leave()
    {
        try
        {
            bootstrap.put(key(bootstrap.rank()), NOTHING);
        }
        catch (final BootstrapException jobFailed)
        {
            // No rank waits for this one any longer.
        }
    }

    /**
     * Returns whether a rank is known to have left its marker. Does not block: returns false until the store has
     * answered.
     */
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
            final boolean isFound = requests[rank].value() != null;
            requests[rank] = isFound ? requests[rank] : null;
            return isFound;
        }
        catch (final BootstrapException jobFailed)
        {
            return false;
        }
    }

    /** Removes this rank's marker, when no rank queries it any longer. */
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
