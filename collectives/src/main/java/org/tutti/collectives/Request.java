/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import org.tutti.collectives.comm.Requests;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * A collective that was started and may not be done yet. Until it is, its buffers are the communicator's: they must
 * neither be read nor written, and cannot be closed.
 * <p>
 * The calls of a communicator are made one after the other, in the order in which they were started, and blocking ones
 * wait for those started before. They go on while a thread is in a method of the communicator or of one of its
 * requests, and while a {@linkplain #toFuture() future} is not complete; what has reached the device goes on by itself.
 * <p>
 * Thread-safe: any thread, virtual ones too, may test, await and cancel; those that wait take turns. The function of a
 * {@link ReduceOp} may not, for requests of the communicator that runs it: an {@link IllegalStateException} says so.
 */
public interface Request
{
    /**
     * Goes on with it, as far as that is possible without waiting.
     *
     * @return true when it is done.
     * @throws CollectiveException   if it failed.
     * @throws CancellationException if it was cancelled.
     */
    boolean test();

    /**
     * Waits until it is done, for as long as the timeout of its communicator says, beginning now.
     *
     * @throws CollectiveInterruptedException if the thread is interrupted, before or while it waits; the communicator
     *                                        has failed then, and the interrupt status stays set.
     * @throws CollectiveException            if it failed.
     * @throws CancellationException          if it was cancelled.
     */
    void await();

    /**
     * Whether it is done, or has failed, or was cancelled. Does nothing for that.
     *
     * @return true when {@link #await()} would not wait.
     */
    boolean isDone();

    /**
     * Withdraws it, if this rank has not begun with it, since calls started before are not done. As with a call, all
     * ranks have to do it: where one has begun already, that one fails, and all others with it.
     *
     * @return false when it has begun, or is done, or another thread is in a call, which may be about to begin it.
     */
    boolean cancel();

    /**
     * This request as a future, which a thread of the communicator waits for. It is completed in a virtual thread of
     * its own, so what depends on it may call this communicator, and block.
     *
     * @return the same each time. To cancel or complete it changes nothing about the request, nor does an interrupt of
     *         a thread that waits for it.
     */
    CompletableFuture<Void> toFuture();

    /**
     * Waits for all.
     *
     * @param requests requests of one communicator or several.
     * @throws CollectiveException as {@link #await()}, of the first that failed.
     */
    static void awaitAll(final Request... requests)
    {
        for (final Request request : requests)
        {
            request.await();
        }
    }

    /**
     * Waits for one.
     *
     * @param requests requests of one communicator or several, at least one.
     * @return the index of one that is done.
     * @throws CollectiveException if one failed, or none was done in time, or the thread is interrupted, as
     *                             {@link #await()} of the first.
     */
    static int awaitAny(final Request... requests)
    {
        return Requests.awaitAny(requests);
    }
}
