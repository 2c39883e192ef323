/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.ReduceOp;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A rank that splits its communicator at random and uses all parts concurrently, each from its own thread. */
public final class GroupsTarget
{
    private GroupsTarget()
    {
    }

    /**
     * Runs a rank.
     *
     * @param arguments seed of the splits, and the rank that dies when all are in use, or -1.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final Random random = new Random(Long.parseLong(arguments[0]));
        final int victim = Integer.parseInt(arguments[1]);
        try (Communicator world = Communicator.world())
        {
            final List<Communicator> groups = new ArrayList<>(List.of(world.dup(), world.splitByHost()));
            for (int i = 0; i < 3; i++)
            {
                final int[] colors = random.ints(world.size(), 0, 2).toArray();
                groups.add(world.split(colors[world.rank()], i % 2 == 0 ? 0 : -world.rank()));
            }
            use(groups, world, victim);
            if (victim < 0)
            {
                groups.forEach(Communicator::close);
            }
        }
    }

    private static void use(final List<Communicator> groups, final Communicator world, final int victim)
        throws Exception
    {
        final CountDownLatch running = new CountDownLatch(groups.size());
        try (ExecutorService threads = Executors.newFixedThreadPool(groups.size()))
        {
            final List<Future<String>> results = new ArrayList<>();
            for (final Communicator group : groups)
            {
                results.add(threads.submit(() -> victim < 0 ? compute(group) : computeUntilFailure(group, running)));
            }
            if (world.rank() == victim)
            {
                running.await();
                Runtime.getRuntime().halt(3);
            }
            for (final Future<String> result : results)
            {
                System.out.println("rank " + world.rank() + " " + result.get());
            }
        }
    }

    private static String compute(final Communicator group)
    {
        final int size = group.size();
        for (int call = 0; call < 50; call++)
        {
            final long[] values = {group.rank() + call, 1};
            group.allreduce(values, ReduceOp.SUM);
            if (values[0] != (long)size * (size - 1) / 2 + (long)size * call || values[1] != size)
            {
                return "is wrong in call " + call + " of " + size + " ranks: " + values[0] + ", " + values[1];
            }
        }
        return "is right";
    }

    private static String computeUntilFailure(final Communicator group, final CountDownLatch running)
    {
        try
        {
            group.barrier();
            running.countDown();
            while (true)
            {
                group.barrier();
                if (group.size() == 1)
                {
                    return "is alone";
                }
            }
        }
        catch (final RankFailedException e)
        {
            return "raised: " + e.getMessage();
        }
    }
}
