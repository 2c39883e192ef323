/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.HdrHistogram.Histogram;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

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

    PerfRun(final PerfConfig config, final Communicator communicator, final PrintStream out)
    {
        this.config = config;
        this.communicator = communicator;
        this.out = communicator.rank() == 0 ? out : null;
        stopwatch = new Stopwatch(communicator, config.average(), config.percentiles());
    }

    /**
     * Runs every row, printing it as soon as it is known.
     *
     * @return the rows, the same on all ranks but for the percentiles, and for what wrong sums hide.
     */
    List<Row> run()
    {
        print(ResultTable.header());
        if (config.operation() == Operation.BARRIER)
        {
            barrier();
        }
        else
        {
            for (final DataType type : config.types())
            {
                measure(type);
            }
        }
        print(ResultTable.footer(wrong(rows), averageBusBw(rows)));
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

    private void barrier()
    {
        final Runnable call = communicator::barrier;
        Stopwatch.repeat(call, Iterations.warmup(0, config.warmup()));
        final double timeUs = stopwatch.time(call, Iterations.timed(0, config.iterations()));
        add(new Row(0, 0, NONE, NONE, NO_ROOT,
            Measurement.of(config.operation(), communicator.size(), 0, timeUs, Measurement.UNCHECKED,
                stopwatch.histogram()), null));
    }

    private void measure(final DataType type)
    {
        final long[] counts = config.sizes().counts(type.size());
        final long most = counts[counts.length - 1];
        final boolean reduces = config.operation() == Operation.ALLREDUCE;
        try (DataBuffer input = communicator.allocate(type, reduces ? most : 0);
            DataBuffer output = communicator.allocate(type, most))
        {
            warmUp(counts, input, output);
            if (reduces)
            {
                for (final ReduceOp op : config.ops())
                {
                    for (final long count : counts)
                    {
                        allreduce(op, input.slice(0, count), output.slice(0, count));
                    }
                }
            }
            else
            {
                final boolean all = config.root() == PerfConfig.ALL_ROOTS;
                final int last = all ? communicator.size() - 1 : config.root();
                for (int root = all ? 0 : last; root <= last; root++)
                {
                    for (final long count : counts)
                    {
                        broadcast(root, output.slice(0, count));
                    }
                }
            }
        }
    }

    /** All sizes before the first is timed, so that no row pays for compilers, connections or first touches. */
    private void warmUp(final long[] counts, final DataBuffer input, final DataBuffer output)
    {
        for (final long count : counts)
        {
            final DataBuffer to = output.slice(0, count);
            final int iterations = warmupIterations(to);
            if (config.operation() == Operation.ALLREDUCE)
            {
                final DataBuffer from = input.slice(0, count);
                Stopwatch.repeat(() -> communicator.allreduce(from, to, config.ops().get(0)), iterations);
                Stopwatch.repeat(() -> communicator.allreduce(to, config.ops().get(0)), iterations);
            }
            else
            {
                Stopwatch.repeat(() -> communicator.broadcast(to, Math.max(0, config.root())), iterations);
            }
        }
    }

    private void allreduce(final ReduceOp op, final DataBuffer input, final DataBuffer output)
    {
        final TestData data = new TestData(input.type(), op, 0, communicator.size());
        final int rank = communicator.rank();
        final Measurement outOfPlace = measure(output, data,
            () -> communicator.allreduce(input, output, op),
            () ->
            {
                data.fill(input.segment(), input.count(), rank);
                TestData.poison(output.segment());
            });
        final Measurement inPlace = measure(output, data,
            () -> communicator.allreduce(output, op),
            () -> data.fill(output.segment(), output.count(), rank));
        add(row(output, PerfConfig.label(op), NO_ROOT, outOfPlace, inPlace));
    }

    private void broadcast(final int root, final DataBuffer buffer)
    {
        final TestData data = new TestData(buffer.type(), ReduceOp.SUM, root, 1);
        final Measurement inPlace = measure(buffer, data,
            () -> communicator.broadcast(buffer, root),
            () ->
            {
                if (communicator.rank() == root)
                {
                    data.fill(buffer.segment(), buffer.count(), root);
                }
                else
                {
                    TestData.poison(buffer.segment());
                }
            });
        add(row(buffer, NONE, root, null, inPlace));
    }

    private Measurement measure(
        final DataBuffer output, final TestData data, final Runnable call, final Runnable prepare)
    {
        prepare.run();
        Stopwatch.repeat(call, warmupIterations(output));
        final double timeUs = stopwatch.time(call, Iterations.timed(length(output), config.iterations()));
        final Histogram histogram = stopwatch.histogram();
        long wrong = Measurement.UNCHECKED;
        if (config.check())
        {
            prepare.run();
            call.run();
            final long ownWrong = data.countWrong(output.segment(), output.count());
            final long[] sum = { ownWrong };
            communicator.allreduce(sum, ReduceOp.SUM);
            // The sum is made by what is under test: it must not hide what this rank saw itself.
            wrong = Math.max(sum[0], ownWrong);
        }
        return Measurement.of(config.operation(), communicator.size(), length(output), timeUs, wrong, histogram);
    }

    private int warmupIterations(final DataBuffer buffer)
    {
        return Iterations.warmup(length(buffer), config.warmup());
    }

    private static Row row(
        final DataBuffer buffer, final String op, final int root, final Measurement outOfPlace,
        final Measurement inPlace)
    {
        return new Row(length(buffer), buffer.count(), buffer.type().shortName(), op, root, outOfPlace, inPlace);
    }

    private static long length(final DataBuffer buffer)
    {
        return buffer.count() * buffer.type().size();
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
