/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.util;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.RankFailedException;

/** Failures that are thrown more than once. */
public final class Failures
{
    private Failures()
    {
    }

    /**
     * Whether mapped memory was gone. The JVM makes an {@link InternalError} of the signal that the system sends to a
     * thread which touches a page behind the end of a file, or one that the host has no memory for.
     */
    public static boolean isMemoryFault(final Throwable thrown)
    {
        return thrown instanceof InternalError;
    }

    /** What is wrong, for people. */
    public static String reason(final Throwable thrown)
    {
        return !isMemoryFault(thrown) ? thrown.getMessage() :
            "shared memory is gone: a file in the job's directory was truncated, or the host has no memory left for " +
            "it; find the process that truncates files there";
    }

    /**
     * What to throw when something failed before that is the reason, most likely, for what was thrown now.
     *
     * @param thrown kept as suppressed, if it is nothing that failures cause.
     */
    public static CollectiveException again(final CollectiveException earlier, final Throwable thrown)
    {
        final CollectiveException again = again(earlier);
        if (!(thrown instanceof CollectiveException))
        {
            again.addSuppressed(thrown);
        }
        return again;
    }

    /** What to throw when something is known to have failed before. */
    public static RuntimeException again(final RuntimeException failure)
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
