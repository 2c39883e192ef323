/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;
import org.tutti.collectives.Window;

/**
 * Workload of a put or get row: each rank puts its input into the next rank's output, or gets the next rank's input
 * into its own output. Each call is one operation, started and completed.
 */
final class OneSidedWorkload implements MeasuredCall
{
    private final Communicator communicator;
    private final Window window;
    private final boolean puts;
    private final DataBuffer input;
    private final DataBuffer output;
    private final long count;
    private final int next;
    /** The rank whose input the output holds after the call. */
    private final int source;

    /**
     * Creates the workload of one row.
     *
     * @param operation    put or get.
     * @param communicator communicator of the ranks.
     * @param window       window over the outputs for a put, over the inputs for a get.
     * @param input        input of at least {@code count} elements.
     * @param output       output of at least {@code count} elements.
     * @param count        number of elements.
     */
    OneSidedWorkload(
        final Operation operation, final Communicator communicator, final Window window, final DataBuffer input,
        final DataBuffer output, final long count)
    {
        this.communicator = communicator;
        this.window = window;
        this.input = input;
        this.output = output;
        this.count = count;
        puts = operation.puts();
        next = (communicator.rank() + 1) % communicator.size();
        source = puts ? (communicator.rank() + communicator.size() - 1) % communicator.size() : next;
    }

    @Override
    public void run()
    {
        if (puts)
        {
            window.put(input, 0, count, next, 0);
        }
        else
        {
            window.get(output, 0, count, next, 0);
        }
    }

    @Override
    public Request start()
    {
        return puts ? window.iput(input, 0, count, next, 0) : window.iget(output, 0, count, next, 0);
    }

    @Override
    public PersistentRequest init()
    {
        throw new IllegalStateException("put and get have no persistent form");
    }

    /**
     * The barriers here and in {@link #countWrong} keep other ranks' calls from accessing data while it is written or
     * checked.
     */
    @Override
    public void prepare()
    {
        communicator.barrier();
        data(source).poison(output.slice(0, count).segment(), count);
        data(communicator.rank()).fill(input.slice(0, count).segment(), count, communicator.rank());
        communicator.barrier();
    }

    @Override
    public long countWrong()
    {
        communicator.barrier();
        return data(source).countWrong(output.slice(0, count).segment(), count);
    }

    private TestData data(final int rank)
    {
        return new TestData(output.type(), ReduceOp.SUM, communicator.size(), rank, 1);
    }
}
