/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.comm.Communicators;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Ranks as threads of the test process, over the real transport. */
final class Ranks
{
    /** Code that each rank runs. */
    interface Body<T>
    {
        T run(Communicator communicator) throws Exception;
    }

    private Ranks()
    {
    }

    /** Runs all ranks to completion; returns their results, by rank. */
    static <T> List<T> run(final int size, final Body<T> body) throws Exception
    {
        final List<Communicator> communicators = Communicators.inProcess(size);
        try (ExecutorService executor = Executors.newFixedThreadPool(size))
        {
            final List<Future<T>> futures = new ArrayList<>();
            for (final Communicator communicator : communicators)
            {
                futures.add(executor.submit(() ->
                {
                    try (communicator)
                    {
                        return body.run(communicator);
                    }
                }));
            }
            final List<T> results = new ArrayList<>();
            for (final Future<T> future : futures)
            {
                results.add(future.get());
            }
            return results;
        }
    }
}
