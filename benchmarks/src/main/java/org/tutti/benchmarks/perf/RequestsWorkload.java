/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.Request;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Several requests in progress at once: an iteration starts all of them and then awaits all. */
final class RequestsWorkload implements MeasuredCall
{
    private final List<MeasuredCall> calls;
    private final Request[] requests;

    /**
     * Creates the workload of one row.
     *
     * @param calls calls on separate buffers, at least one.
     */
    RequestsWorkload(final List<MeasuredCall> calls)
    {
        this.calls = calls;
        requests = new Request[calls.size()];
    }

    @Override
    public int messages()
    {
        return requests.length;
    }

    @Override
    public void prepare()
    {
        calls.forEach(MeasuredCall::prepare);
    }

    @Override
    public void run()
    {
        for (int i = 0; i < requests.length; i++)
        {
            requests[i] = calls.get(i).start();
        }
        Request.awaitAll(requests);
    }

    @Override
    public Request start()
    {
        throw new IllegalStateException("several requests do not support this form");
    }

    @Override
    public PersistentRequest init()
    {
        return new All(calls.stream().map(MeasuredCall::init).toArray(PersistentRequest[]::new));
    }

    @Override
    public long countWrong()
    {
        return calls.stream().mapToLong(MeasuredCall::countWrong).sum();
    }

    /**
     * All persistent requests as one.
     *
     * @param requests requests, started in this order.
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record All(PersistentRequest[] requests) implements PersistentRequest
    {
        @Override
        public void start()
        {
            for (final PersistentRequest request : requests)
            {
                request.start();
            }
        }

        @Override
        public void await()
        {
            Request.awaitAll(requests);
        }

        @Override
        public void close()
        {
            for (final PersistentRequest request : requests)
            {
                request.close();
            }
        }

        @Override
        public boolean test()
        {
            throw noForm();
        }

        @Override
        public boolean isDone()
        {
            throw noForm();
        }

        @Override
        public boolean cancel()
        {
            throw noForm();
        }

        @Override
        public CompletableFuture<Void> toFuture()
        {
            throw noForm();
        }

        private static IllegalStateException noForm()
        {
            return new IllegalStateException("only started and awaited");
        }
    }
}
