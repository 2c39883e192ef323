/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.util;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.RankFailedException;

/** Creates the exceptions for failures that are thrown again by later calls. */
public final class Failures
{
    private Failures()
    {
    }

    /**
     * Whether an access to mapped memory failed. The JVM throws an {@link InternalError} on SIGBUS: the thread accessed
     * a page beyond the end of a file, or one that the host has no memory for.
     */
    public static boolean isMemoryFault(final Throwable thrown)
    {
        return thrown instanceof InternalError;
    }

    /** Describes a failure for an error message. */
    public static String reason(final Throwable thrown)
    {
        return !isMemoryFault(thrown) ? thrown.getMessage() :
            "shared memory is gone: a file in the job's directory was truncated, or the host has no memory left for " +
            "it; find the process that truncates files there";
    }

    /**
     * Returns the exception to throw when an earlier failure is the probable cause of a new one.
     *
     * @param thrown new failure; added as suppressed unless it is a {@link CollectiveException}, which already reports
     *               a failure.
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

    /** Returns the exception to throw when an operation has failed before. */
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
