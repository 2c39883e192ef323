/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.RankFailedException;

/** Failures that are thrown more than once. */
final class Failures
{
    private Failures()
    {
    }

    /** What to throw when something is known to have failed before. */
    static RuntimeException again(final RuntimeException failure)
    {
        if (!(failure instanceof final CollectiveException earlier))
        {
            return new IllegalStateException(failure.getMessage(), failure);
        }
        final String message = "the communicator has failed: " + earlier.getMessage();
        return earlier instanceof RankFailedException ? new RankFailedException(earlier.peer(), message) :
            new CollectiveException(earlier.peer(), message, earlier);
    }
}
