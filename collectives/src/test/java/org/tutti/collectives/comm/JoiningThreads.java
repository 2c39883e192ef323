/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorOptions;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.JoinOptions;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads of a test that join from code as ranks. They are interrupted when the test ends. */
final class JoiningThreads implements AfterEachCallback
{
    /** Time limit of a test, in seconds. */
    static final int LIMIT_S = 300;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Starts a coordinator that ranks of this host can reach. */
    static Coordinator start(final int size)
    {
        return Coordinator.start(CoordinatorOptions.ofSize(size).address("127.0.0.1"));
    }

    /** Joins as a rank, and returns the sum of all rank numbers plus one. */
    static int sum(final JoinOptions options)
    {
        try (Communicator communicator = Communicator.join(options))
        {
            return JoiningRank.sum(communicator);
        }
    }

    /** Runs a task in a thread of its own. */
    <T> Future<T> submit(final Callable<T> task)
    {
        return threads.submit(task);
    }

    ExecutorService executor()
    {
        return threads;
    }

    @Override
    public void afterEach(final ExtensionContext context)
    {
        threads.shutdownNow();
    }
}
