/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.util;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Owns resources and closes them in reverse order. Not thread-safe. */
public final class ResourceScope
{
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    public <T extends AutoCloseable> T add(final T part)
    {
        parts.push(part);
        return part;
    }

    /** Closes all resources; exceptions are added to the problems, and the remaining resources are still closed. */
    public void close(final List<Exception> problems)
    {
        while (!parts.isEmpty())
        {
            try
            {
                parts.pop().close();
            }
            catch (final Exception e)
            {
                problems.add(e);
            }
            catch (final InternalError e)
            {
                problems.add(new IllegalStateException(Failures.reason(e), e));
            }
        }
    }
}
