/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.CollectiveException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The open windows of a communicator on one rank: they fail and close with it. Thread-safe. */
public final class Windows
{
    private final List<OpenWindow> open = new CopyOnWriteArrayList<>();
    private volatile CollectiveException failure;

    /** A window more; it fails if the communicator has failed. */
    public void add(final OpenWindow window)
    {
        open.add(window);
        // Not before it is among those that are poisoned from now on.
        if (failure != null)
        {
            window.poison(failure);
        }
    }

    public void remove(final OpenWindow window)
    {
        open.remove(window);
    }

    /** All calls fail from now on. */
    void poison(final CollectiveException cause)
    {
        failure = failure == null ? cause : failure;
        open.forEach(window -> window.poison(cause));
    }

    /** Tells threads that wait for a signal that the communicator is closed. */
    void stop(final Thread closing)
    {
        open.forEach(window -> window.stop(closing.getName()));
    }

    /** This rank puts, gets and signals no more, and what it has started is done. */
    void announceClose()
    {
        open.forEach(OpenWindow::announceClose);
    }

    /** Frees all of them, when no peer writes into them any more. */
    void close(final RuntimeException cause)
    {
        final List<Exception> problems = new ArrayList<>();
        for (final OpenWindow window : open)
        {
            problems.addAll(window.free());
        }
        open.clear();
        if (problems.isEmpty())
        {
            return;
        }
        final IllegalStateException thrown = new IllegalStateException("cannot free a window");
        problems.forEach(thrown::addSuppressed);
        if (cause == null)
        {
            throw thrown;
        }
        cause.addSuppressed(thrown);
    }
}
