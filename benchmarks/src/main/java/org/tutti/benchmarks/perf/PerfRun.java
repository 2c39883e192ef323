/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.HdrHistogram.Histogram;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures a configuration on all ranks together. Only rank 0 prints. Not thread-safe; the caller keeps ownership of
 * the communicator.
 */
final class PerfRun
{
    private final PerfConfig config;
    private final Communicator communicator;
    private final PrintStream out;
    private final List<Row> rows = new ArrayList<>();
    private final Stopwatch stopwatch;
    private final OverlapStopwatch overlapStopwatch;
    private final DisturbanceFilter steadyState;
    private final Iterations ofTable;

    /** Times of one half of a row: of its calls out of place or in place. */
    private record Timing(double us, Overlap overlap, Histogram histogram)
    {
    }

    PerfRun(final PerfConfig config, final Communicator communicator, final PrintStream out)
    {
        this.config = config;
        this.communicator = communicator;
        this.out = communicator.rank() == 0 ? out : null;
        stopwatch = new Stopwatch(communicator, config.average(), config.percentiles());
        overlapStopwatch = new OverlapStopwatch(communicator, stopwatch, config.tests());
        steadyState = DisturbanceFilter.of(communicator);
        ofTable = Iterations.of(config.iterations(), config.untimed(), config.isRepeated());
    }

    /**
     * Runs all rows, and prints each as soon as it is measured.
     *
     * @return the rows; the same on all ranks except for the percentiles, and for the numbers of wrong elements if the
     *     allreduce that adds them up is wrong.
     */
    List<Row> run()
    {
        print(ResultTable.header(config.mode()));
        if (config.operation() == Operation.BARRIER)
        {
            final RowWorkload barrier = Workloads.barrier(communicator);
            config.warmUp().run(communicator, () -> row(barrier, Iterations.ofWarmUp()));
            add(row(barrier, ofTable));
        }
        else
        {
            for (final DataType type : config.types())
            {
                measure(type);
            }
        }
        print(ResultTable.footer(wrong(rows), averageBusBw(rows), disturbed(rows)));
        return rows;
    }

    /**
     * Number of wrong elements, for the footer.
     *
     * @param rows all rows.
     * @return sum over all rows.
     */
    static long wrong(final List<Row> rows)
    {
        return halves(rows).stream().mapToLong(half -> Math.max(0, half.wrong())).sum();
    }

    /**
     * Average bus bandwidth, for the footer.
     *
     * @param rows all rows.
     * @return mean of all bus bandwidths in GB/s.
     */
    static double averageBusBw(final List<Row> rows)
    {
        return halves(rows).stream().mapToDouble(Measurement::busBw).average().orElse(0);
    }

    /**
     * Returns the disturbances for the footer.
     *
     * @param rows all rows.
     * @return lost fraction of each measurement that was disturbed.
     */
    private static List<Double> disturbed(final List<Row> rows)
    {
        return halves(rows).stream().map(Measurement::lost).filter(lost -> lost > DisturbanceFilter.TOLERATED).toList();
    }

    private static List<Measurement> halves(final List<Row> rows)
    {
        return rows.stream()
            .<Measurement>mapMulti((row, sink) ->
            {
                if (row.outOfPlace() != null)
                {
                    sink.accept(row.outOfPlace());
                }
                if (row.inPlace() != null)
                {
                    sink.accept(row.inPlace());
                }
            })
            .toList();
    }

    private Row row(final RowWorkload of, final Iterations iterations)
    {
        return new Row(of.size(), of.count(), of.type(), of.op(), of.root(),
            of.outOfPlace() == null ? null : measure(of.outOfPlace(), of.size(), iterations),
            of.inPlace() == null ? null : measure(of.inPlace(), of.size(), iterations));
    }

    private void measure(final DataType type)
    {
        try (Workloads calls = new Workloads(config, communicator, type))
        {
            config.warmUp().run(communicator, () -> calls.forEach(of -> row(of, Iterations.ofWarmUp())));
            calls.forEach(of -> add(row(of, ofTable)));
        }
    }

    private Measurement measure(final MeasuredCall call, final long length, final Iterations iterations)
    {
        final long moved = length * call.messages();
        call.prepare();
        try (PersistentRequest persistent = config.mode() == Mode.PERSISTENT ? call.init() : null)
        {
            final Runnable one = config.mode().once(call, persistent);
            Stopwatch.repeat(one, iterations.warmup(moved));
            final int count = iterations.timed(moved);
            final DisturbanceFilter.Timed<Timing> timed =
                steadyState.time(iterations.isRepeated(), () -> timing(call, one, count));
            final long wrong = config.check() ? wrongAfter(one, call) : Measurement.UNCHECKED;
            final Timing timing = timed.value();
            return Measurement.of(config.operation(), communicator.size(), length, timing.us(), wrong,
                timing.histogram(), timing.overlap(), Math.min(1, timed.lost()));
        }
    }

    private Timing timing(final MeasuredCall call, final Runnable one, final int timed)
    {
        if (config.mode() == Mode.NONBLOCKING)
        {
            final Overlap overlap = overlapStopwatch.time(call, timed);
            return new Timing(overlap.pureUs(), overlap, null);
        }
        final double us = stopwatch.time(one, timed, call.messages());
        return new Timing(us, null, stopwatch.histogram());
    }

    /** Number of wrong elements on all ranks after one more call. */
    private long wrongAfter(final Runnable one, final MeasuredCall call)
    {
        call.prepare();
        one.run();
        final long ownWrong = call.countWrong();
        if (ownWrong == Measurement.UNCHECKED)
        {
            return ownWrong;
        }
        final long[] sum = { ownWrong };
        communicator.allreduce(sum, ReduceOp.SUM);
        // The sum comes from the code under test: a wrong sum must not hide an error that this rank found.
        return Math.max(sum[0], ownWrong);
    }

    private void add(final Row row)
    {
        rows.add(row);
        print(ResultTable.row(row));
    }

    private void print(final String text)
    {
        if (out != null)
        {
            out.println(text);
            out.flush();
        }
    }
}
