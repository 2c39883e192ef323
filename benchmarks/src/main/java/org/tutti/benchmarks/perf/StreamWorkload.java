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
 * Workload of a put_bw or get_bw row: each rank of the first half starts several puts to, or gets from, one rank of the
 * second half, followed by a signal, and waits for all of them at once, as osu_put_bw and osu_get_bw do. The rank of
 * the second half only waits for the signal: it therefore measures the same time, and its deadline applies to each
 * batch of messages rather than to all batches together. Messages of a batch have different offsets as far as the
 * buffers are long enough.
 *
 * @see <a href="https://mvapich.cse.ohio-state.edu/benchmarks/">OSU Micro-Benchmarks</a>
 */
final class StreamWorkload implements MeasuredCall
{
    private static final int DONE = 0;

    private final Communicator communicator;
    private final Window window;
    private final boolean puts;
    private final DataBuffer input;
    private final DataBuffer output;
    private final long count;
    private final int messages;
    private final int places;
    private final int partner;
    private final boolean calls;

    /**
     * Creates the workload of one row.
     *
     * @param operation    put_bw or get_bw.
     * @param communicator communicator of an even number of ranks.
     * @param window       window over the outputs for puts, over the inputs for gets.
     * @param input        input of at least {@code count} elements.
     * @param output       output, as long as the input.
     * @param count        number of elements of a message.
     * @param messages     number of messages per flush, at least 1.
     */
    StreamWorkload(
        final Operation operation, final Communicator communicator, final Window window, final DataBuffer input,
        final DataBuffer output, final long count, final int messages)
    {
        this.communicator = communicator;
        this.window = window;
        this.input = input;
        this.output = output;
        this.count = count;
        this.messages = messages;
        puts = operation.puts();
        places = count == 0 ? 1 : Math.clamp(output.count() / count, 1, messages);
        final int half = communicator.size() / 2;
        calls = communicator.rank() < half;
        partner = calls ? communicator.rank() + half : communicator.rank() - half;
    }

    @Override
    public int messages()
    {
        return messages;
    }

    @Override
    public void run()
    {
        if (!calls)
        {
            window.waitSignal(partner, DONE, 1);
            return;
        }
        int place = 0;
        for (int i = 0; i < messages; i++)
        {
            final long offset = place * count;
            if (puts)
            {
                window.iput(input, offset, count, partner, offset);
            }
            else
            {
                window.iget(output, offset, count, partner, offset);
            }
            place = place + 1 == places ? 0 : place + 1;
        }
        window.isignal(partner, DONE);
        window.flush(partner);
    }

    @Override
    public Request start()
    {
        throw noForm();
    }

    @Override
    public PersistentRequest init()
    {
        throw noForm();
    }

    private static IllegalStateException noForm()
    {
        return new IllegalStateException("put_bw and get_bw have a blocking form only");
    }

    /**
     * The barriers here and in {@link #countWrong} keep other ranks' calls from accessing data while it is written or
     * checked.
     */
    @Override
    public void prepare()
    {
        communicator.barrier();
        if (receives())
        {
            data(partner).poison(output.slice(0, places * count).segment(), places * count);
        }
        data(communicator.rank()).fill(
            input.slice(0, places * count).segment(), places * count, communicator.rank());
        communicator.barrier();
    }

    @Override
    public long countWrong()
    {
        communicator.barrier();
        return receives() ? data(partner).countWrong(output.slice(0, places * count).segment(), places * count) : 0;
    }

    private boolean receives()
    {
        return calls != puts;
    }

    private TestData data(final int rank)
    {
        return new TestData(output.type(), ReduceOp.SUM, communicator.size(), rank, 1);
    }
}
