/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.CollectiveException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The open windows of a communicator on one rank, which fail and close with it. Thread-safe. */
public final class Windows
{
    private final List<OpenWindow> open = new CopyOnWriteArrayList<>();
    private volatile CollectiveException failure;

    /** Adds a window, which fails if the communicator has failed. */
    public void add(final OpenWindow window)
    {
        open.add(window);
        // Checked after the window is in the list, so that no failure is missed.
        if (failure != null)
        {
            window.poison(failure);
        }
    }

    public void remove(final OpenWindow window)
    {
        open.remove(window);
    }

    /** Fails all later calls of the windows. */
    void poison(final CollectiveException cause)
    {
        failure = failure == null ? cause : failure;
        open.forEach(window -> window.poison(cause));
    }

    /** Ends waits for signals because the communicator is closed. */
    void stop(final Thread closing)
    {
        open.forEach(window -> window.stop(closing.getName()));
    }

    /** Completes the operations that this rank has started in windows, and rejects new ones. */
    void announceClose()
    {
        open.forEach(OpenWindow::announceClose);
    }

    /** Frees all windows once no peer writes into them any more. */
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
