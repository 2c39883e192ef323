/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Times the first calls of a process, one kind (element type, reduction operation, root and size) after another.
 * Nothing is called before the first kind, not even to connect, and nothing is skipped or timed again. Each further
 * kind starts from the state that the kinds before it left. Not thread-safe; the caller keeps ownership of the
 * communicator.
 */
final class FirstCallsRun
{
    /** Numbers of calls after which the clock is read. */
    private static final int[] CALLS = { 1, 10, 100, 1_000, 10_000, 30_000 };
    /**
     * Maximum bytes that the calls of one kind move, unless 10 calls need more: long calls reach their steady speed
     * after a few calls.
     */
    private static final long MOST_BYTES = 1L << 30;
    private static final int LEAST_ROWS = 2;

    private final PerfConfig config;
    private final Communicator communicator;
    private final List<Kind> kinds = new ArrayList<>();

    /** This rank's measurements of one kind of call. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Kind(RowWorkload of, long[] ns, long wrong)
    {
    }

    /**
     * Results of all ranks.
     *
     * @param rows  rows of all kinds of calls, in order.
     * @param wrong number of wrong elements on all ranks; {@link Measurement#UNCHECKED} if none was checked.
     */
    record Result(List<FirstCallsRow> rows, long wrong)
    {
    }

    FirstCallsRun(final PerfConfig config, final Communicator communicator)
    {
        this.config = config;
        this.communicator = communicator;
    }

    /** Measures; ranks exchange their results only at the end. */
    Result run()
    {
        if (config.operation() == Operation.BARRIER)
        {
            measure(Workloads.barrier(communicator));
        }
        else
        {
            for (final DataType type : config.types())
            {
                try (Workloads calls = new Workloads(config, communicator, type))
                {
                    calls.forEach(this::measure);
                }
            }
        }
        return result();
    }

    private void measure(final RowWorkload of)
    {
        final MeasuredCall call = of.first();
        call.prepare();
        try (PersistentRequest persistent = config.mode() == Mode.PERSISTENT ? call.init() : null)
        {
            final Runnable one = config.mode().once(call, persistent);
            if (!kinds.isEmpty())
            {
                // Ranks take different times to check and prepare, which must not count.
                communicator.barrier();
            }
            final long[] ns = time(one, rows(of.size() * call.messages()));
            long wrong = Measurement.UNCHECKED;
            if (config.check())
            {
                call.prepare();
                one.run();
                wrong = call.countWrong();
            }
            kinds.add(new Kind(of, ns, wrong));
        }
    }

    private static long[] time(final Runnable one, final int rows)
    {
        final long[] ns = new long[rows];
        int made = 0;
        final long startNs = System.nanoTime();
        for (int row = 0; row < rows; row++)
        {
            Stopwatch.repeat(one, CALLS[row] - made);
            made = CALLS[row];
            ns[row] = System.nanoTime() - startNs;
        }
        return ns;
    }

    private static int rows(final long length)
    {
        int rows = LEAST_ROWS;
        while (rows < CALLS.length && CALLS[rows] * length <= MOST_BYTES)
        {
            rows++;
        }
        return rows;
    }

    private Result result()
    {
        final long[] slowest = kinds.stream().flatMapToLong(kind -> Arrays.stream(kind.ns)).toArray();
        communicator.allreduce(slowest, ReduceOp.MAX);
        final boolean isChecked = kinds.stream().anyMatch(kind -> kind.wrong != Measurement.UNCHECKED);
        final long ownWrong = kinds.stream().mapToLong(kind -> Math.max(0, kind.wrong)).sum();
        final long[] wrong = { ownWrong };
        communicator.allreduce(wrong, ReduceOp.SUM);
        final List<FirstCallsRow> rows = new ArrayList<>();
        int at = 0;
        for (final Kind kind : kinds)
        {
            long beforeNs = 0;
            int before = 0;
            for (int row = 0; row < kind.ns.length; row++)
            {
                final long ns = slowest[at++];
                rows.add(new FirstCallsRow(
                    kind.of, CALLS[row], ns / 1e3, (ns - beforeNs) / 1e3 / (CALLS[row] - before)));
                beforeNs = ns;
                before = CALLS[row];
            }
        }
        // The sum comes from the code under test: a wrong sum must not hide an error that this rank found.
        return new Result(rows, isChecked ? Math.max(wrong[0], ownWrong) : Measurement.UNCHECKED);
    }
}
