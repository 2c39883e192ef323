/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.Communicator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ranks as threads of this process, each with a communicator over shared memory. */
final class Ranks implements AutoCloseable
{
    private static final long LIMIT_S = 120;

    private final List<Communicator> communicators;
    private final ExecutorService threads;

    Ranks(final int size)
    {
        communicators = Communicators.inProcess(size);
        threads = Executors.newFixedThreadPool(size);
    }

    /** What a rank does. */
    interface Body
    {
        void run(Communicator communicator) throws Exception;
    }

    /** Runs the body on all ranks at once; throws what the lowest rank threw that threw. */
    void run(final Body body)
    {
        for (final Throwable thrown : outcomes(body))
        {
            if (thrown instanceof final Error error)
            {
                throw error;
            }
            if (thrown != null)
            {
                throw new AssertionError(thrown);
            }
        }
    }

    /** Runs the body on all ranks at once: what each threw, by rank, or null. */
    List<Throwable> outcomes(final Body body)
    {
        final List<Future<?>> futures = new ArrayList<>();
        for (final Communicator communicator : communicators)
        {
            futures.add(threads.submit(() ->
            {
                body.run(communicator);
                return null;
            }));
        }
        final List<Throwable> thrown = new ArrayList<>();
        for (final Future<?> future : futures)
        {
            try
            {
                future.get(LIMIT_S, TimeUnit.SECONDS);
                thrown.add(null);
            }
            catch (final ExecutionException e)
            {
                thrown.add(e.getCause());
            }
            catch (final TimeoutException e)
            {
                thrown.add(new AssertionError("rank " + thrown.size() + " hangs", e));
            }
            catch (final InterruptedException e)
            {
                throw new AssertionError(e);
            }
        }
        return thrown;
    }

    @Override
    public void close()
    {
        run(Communicator::close);
        threads.shutdown();
    }
}
