/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.collectives.progress.TimedRequest;

import java.util.concurrent.CompletableFuture;

/** The base of window requests: their timeout and their future. */
abstract class AbstractWindowRequest implements TimedRequest
{
    private final long timeoutNs;
    private CompletableFuture<Void> future;

    AbstractWindowRequest(final long timeoutNs)
    {
        this.timeoutNs = timeoutNs;
    }

    @Override
    public final long timeoutNs()
    {
        return timeoutNs;
    }

    /** A dedicated thread waits, and runs the dependents of the future. */
    @Override
    public final synchronized CompletableFuture<Void> toFuture()
    {
        if (future == null)
        {
            final CompletableFuture<Void> made = new CompletableFuture<>();
            future = made;
            Thread.ofVirtual().name("tutti-future").start(() -> complete(made));
        }
        return future;
    }

    private void complete(final CompletableFuture<Void> waiting)
    {
        try
        {
            await();
        }
        catch (final RuntimeException | Error e)
        {
            waiting.completeExceptionally(e);
            return;
        }
        waiting.complete(null);
    }
}
