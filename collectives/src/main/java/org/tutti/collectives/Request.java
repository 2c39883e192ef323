/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import org.tutti.collectives.comm.Requests;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * A nonblocking operation. Until it is done, its input must not be written, its output must be neither read nor
 * written, and neither can be closed.
 * <p>
 * Several requests of a communicator are in progress at once: of collectives as many as {@code TUTTI_OUTSTANDING}
 * permits (8 by default), and later ones wait; of sends and receives any number. They begin in the order in which they
 * were started, and complete in any order. Buffers of several requests may overlap only if all these requests only read
 * the memory, which is checked for collectives. A blocking call begins after the requests started before it have begun,
 * and does not wait until they are done. Calls progress while a thread is in a method of the communicator or of one of
 * its requests, while a {@linkplain #toFuture() future} is incomplete, and always if {@code TUTTI_PROGRESS} is {@code
 * thread}; work that is queued on the device progresses by itself.
 * <p>
 * Thread-safe: any thread, including virtual threads, may test, await and cancel; of several waiting threads, one at a
 * time makes progress. The function of a {@link ReduceOp} must not use requests of the communicator that runs it: their
 * methods throw an {@link IllegalStateException}.
 */
public interface Request
{
    /**
     * Progresses the operation without blocking.
     *
     * @return true if it is done.
     * @throws CollectiveException   if it failed.
     * @throws CancellationException if it was cancelled.
     */
    boolean test();

    /**
     * Waits until the operation is done, for at most the timeout of its communicator, measured from this call.
     *
     * @throws CollectiveInterruptedException if the thread is interrupted before or while it waits; the communicator
     *                                        has failed then, and the interrupt status stays set.
     * @throws CollectiveException            if it failed.
     * @throws CancellationException          if it was cancelled.
     */
    void await();

    /**
     * Whether the operation is complete, has failed, or was cancelled. Makes no progress.
     *
     * @return true if {@link #await()} would not wait.
     */
    boolean isDone();

    /**
     * Cancels the operation if this rank has not begun it because calls started before it are not done; a receive, if
     * no message has matched it. A collective must be cancelled on all ranks: if a rank has begun it, the collective
     * fails, and with it the communicator on all ranks.
     *
     * @return true if it was cancelled; false if it has begun or is done, or another thread is in a call and may be
     *         about to begin it.
     */
    boolean cancel();

    /**
     * Returns a future of this request; a thread of the communicator waits for the request. The future is completed in
     * a separate virtual thread, so dependent stages may call this communicator, and block.
     *
     * @return the same future each time. Cancelling or completing it does not affect the request, nor does an interrupt
     *         of a thread that waits for it.
     */
    CompletableFuture<Void> toFuture();

    /**
     * Waits for all requests.
     *
     * @param requests requests of one communicator or several.
     * @throws CollectiveException as {@link #await()}, for the first request that failed.
     */
    static void awaitAll(final Request... requests)
    {
        for (final Request request : requests)
        {
            request.await();
        }
    }

    /**
     * Waits for any of several requests.
     *
     * @param requests requests of one communicator or several, at least one.
     * @return index of a request that is done.
     * @throws CollectiveException if a request failed, none was done within the longest of their timeouts, or the
     *                             thread is interrupted.
     */
    static int awaitAny(final Request... requests)
    {
        return Requests.awaitAny(requests);
    }
}
