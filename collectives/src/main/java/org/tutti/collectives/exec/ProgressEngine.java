/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.fault.Diagnosis;

/** Makes progress with the calls of a communicator, for a thread that waits for one of them. Not thread-safe. */
public interface ProgressEngine
{
    /**
     * Progresses the calls without blocking.
     *
     * @param polls number of further polls while a call is in progress.
     * @return amount of work done; 0 if there was no progress.
     */
    int progress(int polls);

    /** Returns whether no call is in progress. */
    boolean isDone();

    /** Returns the number of the awaited call, else of the oldest in progress, else of the last call. */
    long sequence();

    /**
     * Returns the rank that the call of {@link #sequence} waits for.
     *
     * @return rank, or -1 if it waits for none in particular.
     */
    int waitedPeer();

    /** Returns whether a call waits until a peer accepts messages again; no event wakes a thread then. */
    boolean isSendQueueFull();

    /** Returns whether a call waits for connections rather than messages. */
    boolean isConnecting();

    /**
     * Returns a rank whose message for a call in progress shows that it made a different call.
     *
     * @return rank, or -1.
     */
    int disagreeingPeer();

    /** Finds out what the awaited peer does, after a long wait; throws if it makes no call that ends the wait. */
    void detectDesync();

    /** Returns the diagnosis, which finds out why a call cannot progress. */
    Diagnosis diagnosis();

    /** Prepares for a sleep: see {@link Worker#fallAsleep}. */
    void fallAsleep();
}
