/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.Deque;

import org.tutti.bootstrap.BootstrapException;

/** Closes all resources of a bootstrap, also if closing some of them fails. */
final class OwnedResources
{
    private OwnedResources()
    {
    }

    /** Closes resources, last first. */
    static void close(final Deque<AutoCloseable> owned)
    {
        final BootstrapException failure = new BootstrapException("cannot clean up after the job");
        closeAfter(failure, owned);
        if (failure.getSuppressed().length > 0)
        {
            throw failure;
        }
    }

    /** Closes resources after a failure; adds further failures to it as suppressed exceptions. */
    static void closeAfter(final Throwable failure, final Deque<AutoCloseable> owned)
    {
        while (!owned.isEmpty())
        {
            try
            {
                owned.pop().close();
            }
            catch (final Exception ex)
            {
                failure.addSuppressed(ex);
            }
        }
    }
}
