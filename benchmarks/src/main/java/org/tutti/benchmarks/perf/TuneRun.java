/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.comm.Communicators;
import org.tutti.collectives.select.OperandOrder;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures a plan on all ranks together. Rounds interleave all algorithms, so that background load affects all alike,
 * and the minimum counts. Not thread-safe; the caller keeps ownership of the communicator.
 */
final class TuneRun
{
    private static final int MOST_CALLS = 2000;

    private final TunePlan plan;
    private final Communicator communicator;
    private final int rounds;
    private final double budgetUs;
    private final Stopwatch stopwatch;

    /**
     * Creates a run on a communicator that selects algorithms as the plan specifies.
     *
     * @param plan         plan of the measurements.
     * @param communicator communicator of the ranks.
     * @param rounds       number of measured rounds, at least 1; a warm-up round precedes them.
     * @param budgetMs     duration of each measurement in milliseconds; at least one call is made.
     */
    TuneRun(final TunePlan plan, final Communicator communicator, final int rounds, final int budgetMs)
    {
        this.plan = plan;
        this.communicator = communicator;
        this.rounds = rounds;
        budgetUs = budgetMs * 1e3;
        stopwatch = new Stopwatch(communicator, PerfConfig.Average.MAX, false);
    }

    /**
     * Measures.
     *
     * @return the result; the same on all ranks.
     */
    TuneResult run()
    {
        final List<double[]> times = new ArrayList<>();
        for (final TunePlan.TuneCase aCase : plan.cases())
        {
            final double[] unknown = new double[aCase.algorithms().size()];
            Arrays.fill(unknown, Double.POSITIVE_INFINITY);
            times.add(unknown);
        }
        for (final Operation operation : plan.operations())
        {
            measure(operation, times);
        }
        return new TuneResult(plan, times, barrierUs());
    }

    private double barrierUs()
    {
        double least = Double.POSITIVE_INFINITY;
        for (int round = 0; round <= rounds; round++)
        {
            least = Math.min(least, meanUs(communicator::barrier));
        }
        return least;
    }

    /** Mean time of as many consecutive calls as the budget allows. */
    private double meanUs(final Runnable call)
    {
        final double once = stopwatch.time(call, 1);
        return stopwatch.time(call, Math.clamp(Math.round(budgetUs / Math.max(once, 0.1)), 1, MOST_CALLS));
    }

    /**
     * Whether calls with the length of an algorithm use it. Ranks that cannot load the memory that an algorithm loads
     * use another one, which would be measured under its name.
     */
    private boolean isUsed(final TunePlan.TuneCase aCase, final int index)
    {
        return Communicators.selector(communicator).algorithm(TunePlan.collective(aCase.operation()),
            Communicators.hosts(communicator), aCase.counts().get(index) * TunePlan.ELEMENT, OperandOrder.ANY)
            .name().equals(aCase.algorithms().get(index));
    }

    private void measure(final Operation operation, final List<double[]> times)
    {
        final long most = plan.cases().stream().filter(aCase -> aCase.operation() == operation)
            .mapToLong(aCase -> aCase.counts().getLast()).max().orElseThrow();
        try (DataBuffer input = communicator.allocate(DataType.FLOAT32, operation == Operation.BROADCAST ? 0 : most);
            DataBuffer output = communicator.allocate(DataType.FLOAT32, most))
        {
            // The JVM compiles in the first round.
            for (int round = 0; round <= rounds; round++)
            {
                for (int i = 0; i < times.size(); i++)
                {
                    final TunePlan.TuneCase aCase = plan.cases().get(i);
                    for (int a = 0; aCase.operation() == operation && a < aCase.algorithms().size(); a++)
                    {
                        if (!isUsed(aCase, a))
                        {
                            continue;
                        }
                        final Workload workload = new Workload(operation, communicator, ReduceOp.SUM, 0, input, output,
                            aCase.counts().get(a), CountsRule.EVEN, operation == Operation.BROADCAST);
                        final double us = time(workload, operation.waitsForAll(), round == 0);
                        times.get(i)[a] = round == 0 ? times.get(i)[a] : Math.min(times.get(i)[a], us);
                    }
                }
            }
        }
    }

    /**
     * Mean time of consecutive calls. If an operation does not synchronize all ranks, a barrier follows each call:
     * otherwise a call could start before the previous one has completed on all ranks, which would hide the latency of
     * long paths. The barrier costs the same with all algorithms.
     */
    private double time(final Workload workload, final boolean waits, final boolean isFirst)
    {
        if (isFirst)
        {
            workload.prepare();
        }
        try
        {
            // The first call at a length creates its schedule and connects to peers.
            workload.run();
        }
        catch (final IllegalArgumentException e)
        {
            // All ranks throw alike before they send anything: the algorithm does not support this length.
            return Double.POSITIVE_INFINITY;
        }
        final Runnable call = waits ? workload::run : () ->
        {
            workload.run();
            communicator.barrier();
        };
        return meanUs(call);
    }
}
