/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.HdrHistogram.Histogram;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Window;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures what a configuration asks for, on all ranks together. Only rank 0 prints. Not thread-safe; the communicator
 * stays the caller's.
 */
final class PerfRun
{
    private static final String NONE = "none";
    private static final int NO_ROOT = -1;

    private final PerfConfig config;
    private final Communicator communicator;
    private final PrintStream out;
    private final List<Row> rows = new ArrayList<>();
    private final Stopwatch stopwatch;
    private final OverlapStopwatch overlapStopwatch;
    private final SteadyState steadyState;
    private final Iterations ofTable;

    /** What is timed of a row. */
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
        steadyState = SteadyState.of(communicator);
        // Who says how much to warm up, and so has no rehearsal, gets just so many calls.
        ofTable = Iterations.of(config.iterations(), config.warmup(), !config.rehearsal().equals(Rehearsal.NONE));
    }

    /**
     * Runs every row, printing it as soon as it is known.
     *
     * @return the rows, the same on all ranks but for the percentiles, and for what wrong sums hide.
     */
    List<Row> run()
    {
        print(ResultTable.header(config.mode()));
        if (config.operation() == Operation.BARRIER)
        {
            config.rehearsal().run(communicator, () -> barrier(Iterations.ofRehearsal()));
            add(barrier(ofTable));
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
     * What the footer says about the data.
     *
     * @param rows all.
     * @return elements that were wrong.
     */
    static long wrong(final List<Row> rows)
    {
        return halves(rows).stream().mapToLong(half -> Math.max(0, half.wrong())).sum();
    }

    /**
     * What the footer says about speed.
     *
     * @param rows all.
     * @return the mean of all bus bandwidths in GB/s.
     */
    static double averageBusBw(final List<Row> rows)
    {
        return halves(rows).stream().mapToDouble(Measurement::busBw).average().orElse(0);
    }

    /**
     * What the footer says about what else ran.
     *
     * @param rows all.
     * @return by how much each time was disturbed that was.
     */
    private static List<Double> disturbed(final List<Row> rows)
    {
        return halves(rows).stream().map(Measurement::lost).filter(lost -> lost > SteadyState.TOLERATED).toList();
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

    private Row barrier(final Iterations iterations)
    {
        return new Row(0, 0, NONE, NONE, NO_ROOT, measure(Call.barrier(communicator), 0, iterations), null);
    }

    private void measure(final DataType type)
    {
        final long[] counts = config.sizes().counts(type.size());
        final long most = counts[counts.length - 1];
        final boolean hasInput = config.operation().isOutOfPlace();
        try (DataBuffer input = communicator.allocate(type, hasInput ? most : 0);
            DataBuffer output = communicator.allocate(type, most);
            Window window = !config.operation().isOneSided() ? null :
                communicator.window(config.operation().puts() ? output : input))
        {
            config.rehearsal().run(communicator,
                () -> rows(counts, input, output, window, Iterations.ofRehearsal(), row -> { }));
            rows(counts, input, output, window, ofTable, this::add);
        }
    }

    private void rows(
        final long[] counts, final DataBuffer input, final DataBuffer output, final Window window,
        final Iterations iterations, final Consumer<Row> sink)
    {
        final Operation operation = config.operation();
        final List<ReduceOp> ops = operation.reduces() ? config.ops() : List.of(ReduceOp.SUM);
        final boolean all = operation.hasRoot() && config.root() == PerfConfig.ALL_ROOTS;
        final int last = all ? communicator.size() - 1 : config.root();
        for (final ReduceOp op : ops)
        {
            for (int root = all ? 0 : last; operation.takes(op, input.type()) && root <= last; root++)
            {
                for (final long count : counts)
                {
                    sink.accept(row(op, root, input, output, window, count, iterations));
                }
            }
        }
    }

    private Row row(
        final ReduceOp op, final int root, final DataBuffer input, final DataBuffer output, final Window window,
        final long count, final Iterations iterations)
    {
        final Operation operation = config.operation();
        // As in nccl-tests, the size is that of all blocks, the count that of one: of the longest.
        final int size = communicator.size();
        final long whole = operation.hasBlocks() && !operation.hasCounts() ? count / size * size : count;
        final long length = whole * output.type().size();
        final Measurement outOfPlace = !operation.isOutOfPlace() ? null : measure(window == null ?
            new Workload(operation, communicator, op, root, input, output, whole, config.counts(), false) :
            oneSided(input, output, window, whole), length, iterations);
        final Measurement inPlace = !operation.isInPlace() ? null : measure(
            new Workload(operation, communicator, op, root, input, output, whole, config.counts(), true), length,
            iterations);
        return new Row(
            length, operation.hasBlocks() ? longestBlock(whole) : whole, output.type().shortName(),
            operation.reduces() ? PerfConfig.label(op) : NONE, operation.hasRoot() ? root : NO_ROOT,
            outOfPlace, inPlace);
    }

    private long longestBlock(final long whole)
    {
        final Counts counts = config.operation().hasCounts() ? config.counts() : Counts.EVEN;
        return Arrays.stream(counts.lengths(whole, communicator.size(), 0)).max().orElseThrow();
    }

    private Call oneSided(final DataBuffer input, final DataBuffer output, final Window window, final long count)
    {
        final Operation operation = config.operation();
        return operation.isStream() ?
            new StreamWorkload(operation, communicator, window, input, output, count, config.window()) :
            new OneSidedWorkload(operation, communicator, window, input, output, count);
    }

    private Measurement measure(final Call call, final long length, final Iterations iterations)
    {
        final long moved = length * call.messages();
        call.prepare();
        try (PersistentRequest persistent = config.mode() == Mode.PERSISTENT ? call.init() : null)
        {
            final Runnable one = switch (config.mode())
            {
                case BLOCKING -> call::run;
                case PERSISTENT -> persistent::run;
                case NONBLOCKING -> () -> call.start().await();
            };
            Stopwatch.repeat(one, iterations.warmup(moved));
            final int count = iterations.timed(moved);
            final SteadyState.Timed<Timing> timed =
                steadyState.time(iterations.isRepeated(), () -> timing(call, one, count));
            final long wrong = config.check() ? wrongAfter(one, call) : Measurement.UNCHECKED;
            final Timing timing = timed.value();
            return Measurement.of(config.operation(), communicator.size(), length, timing.us(), wrong,
                timing.histogram(), timing.overlap(), Math.min(1, timed.lost()));
        }
    }

    private Timing timing(final Call call, final Runnable one, final int timed)
    {
        if (config.mode() == Mode.NONBLOCKING)
        {
            final Overlap overlap = overlapStopwatch.time(call, timed);
            return new Timing(overlap.pureUs(), overlap, null);
        }
        final double us = stopwatch.time(one, timed, call.messages());
        return new Timing(us, null, stopwatch.histogram());
    }

    /** What is wrong on all ranks after one more call. */
    private long wrongAfter(final Runnable one, final Call call)
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
        // The sum is made by what is under test: it must not hide what this rank saw itself.
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
