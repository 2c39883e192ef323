/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.Request;

import java.util.concurrent.CompletableFuture;

/** A receive and a send as one request, complete when both are. Has the thread safety of its two requests. */
class SendReceive implements Request
{
    private final Request receive;
    private final Request send;

    SendReceive(final Request receive, final Request send)
    {
        this.receive = receive;
        this.send = send;
    }

    @Override
    public final boolean test()
    {
        final boolean isReceived = receive.test();
        return send.test() && isReceived;
    }

    @Override
    public final void await()
    {
        receive.await();
        send.await();
    }

    @Override
    public final boolean isDone()
    {
        return receive.isDone() && send.isDone();
    }

    @Override
    public final boolean cancel()
    {
        final boolean isCancelled = receive.cancel();
        return send.cancel() && isCancelled;
    }

    @Override
    public final CompletableFuture<Void> toFuture()
    {
        return CompletableFuture.allOf(receive.toFuture(), send.toFuture());
    }

    /** A persistent receive and a persistent send as one persistent request. */
    static final class Bound extends SendReceive implements PersistentRequest
    {
        private final PersistentRequest receive;
        private final PersistentRequest send;

        Bound(final PersistentRequest receive, final PersistentRequest send)
        {
            super(receive, send);
            this.receive = receive;
            this.send = send;
        }

        @Override
        public void start()
        {
            receive.start();
            send.start();
        }

        @Override
        public void close()
        {
            receive.close();
            send.close();
        }
    }
}
