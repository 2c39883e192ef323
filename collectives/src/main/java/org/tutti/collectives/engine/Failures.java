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

    /**
     * What to throw when something failed before that is the reason, most likely, for what was thrown now.
     *
     * @param thrown kept as suppressed, if it is nothing that failures cause.
     */
    static CollectiveException again(final CollectiveException earlier, final Throwable thrown)
    {
        final CollectiveException again = again(earlier);
        if (!(thrown instanceof CollectiveException))
        {
            again.addSuppressed(thrown);
        }
        return again;
    }

    /** What to throw when something is known to have failed before. */
    static RuntimeException again(final RuntimeException failure)
    {
        return failure instanceof final CollectiveException earlier ? again(earlier) :
            new IllegalStateException(failure.getMessage(), failure);
    }

    private static CollectiveException again(final CollectiveException earlier)
    {
        final String message = "the communicator has failed: " + earlier.getMessage();
        return earlier instanceof RankFailedException ? new RankFailedException(earlier.peer(), message) :
            new CollectiveException(earlier.peer(), message, earlier);
    }
}
