/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs an action on all ranks concurrently, each in its own thread. */
public final class RankThreads
{
    /** Long enough for a loaded machine, in nanoseconds. */
    public static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private RankThreads()
    {
    }

    /** The action of a rank. */
    @FunctionalInterface
    public interface Action<T>
    {
        T run(Bootstrap bootstrap) throws Exception;
    }

    /** Returns the results by rank; rethrows the first exception. */
    public static <T> List<T> run(final List<? extends Bootstrap> ranks, final Action<T> action) throws Exception
    {
        final ExecutorService executor = Executors.newFixedThreadPool(ranks.size());
        try
        {
            final List<Future<T>> futures = new ArrayList<>();
            for (final Bootstrap rank : ranks)
            {
                futures.add(executor.submit(() -> action.run(rank)));
            }
            final List<T> results = new ArrayList<>();
            for (final Future<T> future : futures)
            {
                results.add(future.get(2 * TIMEOUT_NS, TimeUnit.NANOSECONDS));
            }
            return results;
        }
        catch (final ExecutionException ex)
        {
            throw ex.getCause() instanceof Exception cause ? cause : ex;
        }
        catch (final TimeoutException ex)
        {
            throw new AssertionError("a rank hangs", ex);
        }
        finally
        {
            executor.shutdownNow();
        }
    }
}
