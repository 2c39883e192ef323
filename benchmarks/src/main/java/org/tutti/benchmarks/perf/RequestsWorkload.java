/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.Request;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Several calls on separate buffers, one after another or all in progress at once. */
final class RequestsWorkload implements MeasuredCall
{
    private final List<MeasuredCall> calls;
    private final Request[] requests;
    /** The requests in progress, as one. */
    private final Request all;

    /**
     * Creates the workload of one row.
     *
     * @param calls calls on separate buffers, at least one.
     */
    RequestsWorkload(final List<MeasuredCall> calls)
    {
        this.calls = calls;
        requests = new Request[calls.size()];
        all = new Started(requests);
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
        calls.forEach(MeasuredCall::run);
    }

    @Override
    public Request start()
    {
        for (int i = 0; i < requests.length; i++)
        {
            requests[i] = calls.get(i).start();
        }
        return all;
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

    /** Requests that are awaited as one. */
    private static class Started implements Request
    {
        private final Request[] requests;

        Started(final Request[] requests)
        {
            this.requests = requests;
        }

        @Override
        public void await()
        {
            Request.awaitAll(requests);
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

    /** Persistent requests as one. */
    private static final class All extends Started implements PersistentRequest
    {
        private final PersistentRequest[] requests;

        All(final PersistentRequest[] requests)
        {
            super(requests);
            this.requests = requests;
        }

        @Override
        public void start()
        {
            for (final PersistentRequest request : requests)
            {
                request.start();
            }
        }

        @Override
        public void close()
        {
            for (final PersistentRequest request : requests)
            {
                request.close();
            }
        }
    }
}
