/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorOptions;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.LocalJob;
import org.tutti.collectives.ReduceOp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The code of docs/embedding.md: a driver and its tasks, and ranks as threads. */
final class Embedding
{
    private Embedding()
    {
    }

    /** The driver: starts a coordinator, and tasks in other processes, here in other threads. */
    static List<Double> drive(final int size) throws Exception
    {
        final List<Double> losses = new ArrayList<>();
        try (ExecutorService cluster = Executors.newFixedThreadPool(size))
        {
            // Not a rank: the process that submits the tasks.
            try (Coordinator coordinator = Coordinator.start(CoordinatorOptions.ofSize(size)))
            {
                final String address = coordinator.address();
                final String secret = coordinator.secret();
                final List<Future<Double>> tasks = new ArrayList<>();
                for (int i = 0; i < size; i++)
                {
                    final int rank = i;
                    tasks.add(cluster.submit(() -> task(rank, size, address, secret)));
                }
                for (final Future<Double> task : tasks)
                {
                    losses.add(task.get());
                }
            }
        }
        return losses;
    }

    /** A task: joins as a rank. */
    private static double task(final int rank, final int size, final String address, final String secret)
    {
        final JoinOptions options = JoinOptions.of(rank, size).coordinator(address).secret(secret)
            .joinTimeout(Duration.ofMinutes(2));
        try (Communicator communicator = Communicator.join(options))
        {
            final double[] loss = {1.0 / (communicator.rank() + 1)};
            communicator.allreduce(loss, ReduceOp.AVG);
            return loss[0];
        }
    }

    /** Ranks as threads, for tests. */
    static List<Integer> local()
    {
        return LocalJob.call(4, communicator ->
        {
            final int[] sum = {communicator.rank()};
            communicator.allreduce(sum, ReduceOp.SUM);
            return sum[0];
        });
    }
}
