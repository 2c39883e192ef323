/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.CollectiveException;

/** A part of a communicator with calls, requests and connections of its own, which fails and closes with it. */
public interface SessionPart
{
    /**
     * Progresses the part's requests, unless another thread does; for a thread that waits in another part.
     *
     * @return their state, for {@link RankIdleStrategy#idleAfter}.
     */
    int progress();

    /** Lets the progress thread progress the requests, because the calling thread waits without progressing them. */
    void progressInBackground();

    /** Ends what {@link #progressInBackground} has begun. */
    void endProgressInBackground();

    /** Fails all later calls with the first cause reported. Callable from any thread. */
    void poison(CollectiveException cause);

    /** Prevents further calls, and ends the waits of all threads, because a thread closes the communicator. */
    void stop(Thread closing);

    /**
     * Waits until no thread is in a call, and fails the requests that are not done.
     *
     * @param thread     name of the closing thread.
     * @param deadlineNs deadline by {@link System#nanoTime()}.
     * @return false if a call has not ended; this method can be called again then.
     */
    boolean endCalls(String thread, long deadlineNs);

    /** Returns the name of the last thread that has made a call, for messages. */
    String caller();

    /** Announces that this rank makes no more calls. */
    void announceClose();

    /** Checks, after all ranks have closed, that the ranks agree about their calls. */
    void checkClosed();

    /**
     * Frees everything once no peer writes into this rank's memory any more.
     *
     * @param cause exception that ended the communicator, or null.
     */
    void close(RuntimeException cause);
}
