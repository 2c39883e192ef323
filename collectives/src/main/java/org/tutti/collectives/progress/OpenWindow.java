/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.CollectiveException;

import java.util.List;

/** A rank's end of a window, as its communicator ends it. Thread-safe. */
public interface OpenWindow
{
    /** All calls of the window fail from now on. */
    void poison(CollectiveException cause);

    /**
     * Ends waits for signals.
     *
     * @param thread name of the thread that closes the communicator.
     */
    void stop(String thread);

    /** Completes what this rank has started, and starts nothing more. */
    void announceClose();

    /**
     * Frees connections and memory, when no peer accesses them any more.
     *
     * @return what went wrong.
     */
    List<Exception> free();
}
