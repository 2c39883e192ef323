/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Window;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The calls of all rows of one element type, and the buffers that the calls share. Not thread-safe; the caller keeps
 * ownership of the communicator.
 */
final class Workloads implements AutoCloseable
{
    private static final String NONE = "none";
    private static final int NO_ROOT = -1;

    private final PerfConfig config;
    private final Communicator communicator;
    private final long[] counts;
    private final DataBuffer input;
    private final DataBuffer output;
    private final Window window;

    /**
     * Allocates the buffers and, for one-sided operations, creates the window, which is collective.
     *
     * @param config       configuration of the table; its operation is not a barrier, which has no data.
     * @param communicator communicator of the ranks.
     * @param type         type of the elements.
     */
    Workloads(final PerfConfig config, final Communicator communicator, final DataType type)
    {
        this.config = config;
        this.communicator = communicator;
        counts = config.sizes().counts(type.size());
        final long most = counts[counts.length - 1];
        final Operation operation = config.operation();
        final long all = most * config.requests();
        input = config.memory().buffer(communicator, type, operation.isOutOfPlace() ? all : 0);
        output = config.memory().buffer(communicator, type, all);
        window = !operation.isOneSided() ? null : communicator.window(operation.puts() ? output : input);
    }

    /** Returns the workload for the only row of a barrier's results. */
    static RowWorkload barrier(final Communicator communicator)
    {
        return new RowWorkload(0, 0, NONE, NONE, NO_ROOT, MeasuredCall.barrier(communicator), null);
    }

    /** Passes the workload of each row to the sink, ordered by reduction operation, root and size. */
    void forEach(final Consumer<RowWorkload> sink)
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
                    sink.accept(row(op, root, count));
                }
            }
        }
    }

    private RowWorkload row(final ReduceOp op, final int root, final long count)
    {
        final Operation operation = config.operation();
        // As in nccl-tests, the size is the total over all blocks, and the count is that of the longest block.
        final int ranks = communicator.size();
        final long whole = operation.hasBlocks() && !operation.hasCounts() ? count / ranks * ranks : count;
        final MeasuredCall outOfPlace = !operation.isOutOfPlace() ? null : window == null ?
            workload(op, root, whole, false) : oneSided(whole);
        final MeasuredCall inPlace = !operation.isInPlace() ? null : workload(op, root, whole, true);
        return new RowWorkload(
            whole * output.type().size(), operation.hasBlocks() ? longestBlock(whole) : whole,
            output.type().shortName(), operation.reduces() ? PerfConfig.label(op) : NONE,
            operation.hasRoot() ? root : NO_ROOT, outOfPlace, inPlace);
    }

    private MeasuredCall workload(final ReduceOp op, final int root, final long count, final boolean isInPlace)
    {
        final int requests = config.requests();
        final List<MeasuredCall> calls = new ArrayList<>();
        for (int i = 0; i < requests; i++)
        {
            calls.add(new Workload(config.operation(), communicator, op, root, part(input, i), part(output, i), count,
                config.counts(), isInPlace));
        }
        return requests == 1 ? calls.getFirst() : new RequestsWorkload(calls);
    }

    /** Returns the part of a buffer for one of several requests. */
    private DataBuffer part(final DataBuffer buffer, final int request)
    {
        final long length = buffer.count() / config.requests();
        return buffer.slice(request * length, length);
    }

    private long longestBlock(final long whole)
    {
        final CountsRule rule = config.operation().hasCounts() ? config.counts() : CountsRule.EVEN;
        return Arrays.stream(rule.lengths(whole, communicator.size(), 0)).max().orElseThrow();
    }

    private MeasuredCall oneSided(final long count)
    {
        final Operation operation = config.operation();
        return operation.isStream() ?
            new StreamWorkload(operation, communicator, window, input, output, count, config.window()) :
            new OneSidedWorkload(operation, communicator, window, input, output, count);
    }

    @Override
    public void close()
    {
        try (input; output)
        {
            if (window != null)
            {
                window.close();
            }
        }
    }
}
