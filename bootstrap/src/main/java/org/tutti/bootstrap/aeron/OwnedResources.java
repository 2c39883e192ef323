/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.Deque;

import org.tutti.bootstrap.BootstrapException;

/** Closes what a bootstrap owns, all of it, whatever goes wrong with some. */
final class OwnedResources
{
    private OwnedResources()
    {
    }

    /** Closes them, last first. */
    static void close(final Deque<AutoCloseable> owned)
    {
        final BootstrapException failure = new BootstrapException("cannot clean up after the job");
        closeAfter(failure, owned);
        if (failure.getSuppressed().length > 0)
        {
            throw failure;
        }
    }

    /** Closes them because something failed, to which further failures are added. */
    static void closeAfter(final RuntimeException failure, final Deque<AutoCloseable> owned)
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
