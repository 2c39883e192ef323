/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.CollectiveException;

import java.util.List;

/** A rank's side of a window, as used by its communicator to fail and close it. Thread-safe. */
public interface OpenWindow
{
    /** Fails all later calls of the window. */
    void poison(CollectiveException cause);

    /**
     * Ends waits for signals.
     *
     * @param thread name of the thread that closes the communicator.
     */
    void stop(String thread);

    /** Completes the operations that this rank has started, and rejects new ones. */
    void announceClose();

    /**
     * Frees connections and memory once no peer accesses them any more.
     *
     * @return problems that occurred.
     */
    List<Exception> free();
}
