/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

/** Starts, progresses, awaits and cancels requests of one kind, for any thread. */
public interface RequestOwner
{
    /** Starts a request. */
    void start(ProgressRequest request);

    /** Runs a request as a blocking call. */
    void run(ProgressRequest request);

    /** Progresses the requests, unless another thread does. */
    void test();

    /**
     * Waits until a request is done.
     *
     * @param timeoutNs timeout in nanoseconds.
     * @param startNs   start of the wait by {@link System#nanoTime()}.
     * @param caller    the progress thread, which also returns if it has new requests; null for other threads.
     */
    void await(ProgressRequest request, long timeoutNs, long startNs, ProgressThread caller);

    /**
     * Removes a request that has not begun.
     *
     * @return false if it has begun, or another thread may be about to begin it.
     */
    boolean cancel(ProgressRequest request);

    /** Frees the buffers of a persistent request that is not active. */
    void close(ProgressRequest request);

    /**
     * Returns a request that the progress thread watches next; null if there is none, and the thread stops watching.
     */
    ProgressRequest nextInBackground();

    /** Limits the sleeps of the thread that waits, since another thread waits for the lock. */
    void share();

    /** Returns the thread that waits for the requests whose futures were requested. */
    ProgressThread progressThread();
}
