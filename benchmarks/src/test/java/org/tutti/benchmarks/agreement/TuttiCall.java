/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.agreement;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.tutti.collectives.PointToPoint.ANY_TAG;

/**
 * A case as called by one rank, alternately with registered memory and with staged memory. In place, the memory of a
 * block is the rank's own block of the whole buffer, as in MPI.
 */
final class TuttiCall
{
    private final Communicator communicator;
    private final AgreementCase of;
    private final int rank;
    private DataBuffer whole;
    private DataBuffer other;
    private DataBuffer out;
    private Request request;
    private MemorySegment result;

    TuttiCall(final Communicator communicator, final AgreementCase of)
    {
        this.communicator = communicator;
        this.of = of;
        rank = communicator.rank();
    }

    /** Makes the call, or starts it as a request. */
    void start()
    {
        if (of.seed() < 0 && of.shape() != Shape.MESSAGES)
        {
            result = runStaged();
            return;
        }
        final DataType type = of.type().type();
        final long input = of.inputCount(rank);
        final long output = of.outputCount(rank);
        whole = communicator.allocate(type, Math.max(input, output));
        other = communicator.allocate(type, output);
        final DataBuffer in = whole.slice(inputOffset(), input);
        out = isInPlaceHere() ? whole.slice(outputOffset(), output) : other;
        fill(in.segment());
        if (of.shape() == Shape.MESSAGES || (of.seed() & 1) != 0)
        {
            call(in, out);
        }
        else
        {
            request = request(in, out);
        }
    }

    /** Waits until the call is done, and returns this rank's output of as many elements as the case specifies. */
    MemorySegment finish()
    {
        if (result == null)
        {
            if (request != null)
            {
                request.await();
            }
            result = copy(out.segment());
            whole.close();
            other.close();
        }
        return result;
    }

    /** Sends the first half of each block with tag 1 and the rest with tag 0, and receives tag 0 first. */
    private void exchange(final DataBuffer in, final DataBuffer output)
    {
        final List<Request> sent = new ArrayList<>();
        long begin = 0;
        for (int dest = 0; dest < of.ranks(); dest++)
        {
            final int count = of.sent(rank)[dest];
            if (dest != rank)
            {
                sent.add(communicator.isend(in.slice(begin, count / 2), dest, 1));
                sent.add(communicator.isend(in.slice(begin + count / 2, count - count / 2), dest, 0));
            }
            begin += count;
        }
        begin = 0;
        for (int source = 0; source < of.ranks(); source++)
        {
            final int count = of.received(rank)[source];
            if (source == rank)
            {
                final long own = Arrays.stream(of.sent(rank), 0, rank).asLongStream().sum();
                output.slice(begin, count).segment().copyFrom(in.slice(own, count).segment());
            }
            else
            {
                receive(output.slice(begin + count / 2, count - count / 2), source, 0);
                receive(output.slice(begin, count / 2), source, ANY_TAG);
            }
            begin += count;
        }
        sent.forEach(Request::await);
    }

    private void receive(final DataBuffer output, final int source, final int tag)
    {
        if (of.seed() < 0)
        {
            communicator.recv(output.segment(), output.count(), output.type(), source, tag);
        }
        else
        {
            communicator.recv(output, source, tag);
        }
    }

    private MemorySegment runStaged()
    {
        final long size = of.type().size();
        final long input = of.inputCount(rank) * size;
        final long output = of.outputCount(rank) * size;
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment whole = arena.allocate(Math.max(input, output), Long.BYTES);
            final MemorySegment in = whole.asSlice(inputOffset() * size, input);
            final MemorySegment out = isInPlaceHere() ? whole.asSlice(outputOffset() * size, output) :
                arena.allocate(output, Long.BYTES);
            fill(in);
            call(in, out);
            return copy(out);
        }
    }

    /** Whether this rank has both an input and an output. */
    private boolean isInPlaceHere()
    {
        if (of.shape() == Shape.BROADCAST)
        {
            return true;
        }
        final boolean hasBoth = of.inputCount(rank) > 0 && of.outputCount(rank) > 0;
        return of.inPlace() && hasBoth && (!of.shape().hasRoot() || rank == of.root());
    }

    /** In place, a gathered input is a block of the output. */
    private long inputOffset()
    {
        return !isInPlaceHere() ? 0 : switch (of.shape())
        {
            case ALLGATHER, GATHER -> (long)rank * of.count(0);
            case ALLGATHERV, GATHERV -> before();
            default -> 0;
        };
    }

    /** In place, a scattered output is a block of the input. */
    private long outputOffset()
    {
        return switch (of.shape())
        {
            case REDUCE_SCATTER, SCATTER -> (long)rank * of.count(0);
            case REDUCE_SCATTERV, SCATTERV -> before();
            default -> 0;
        };
    }

    private long before()
    {
        return Arrays.stream(of.countsAsArray(), 0, rank).sum();
    }

    private void fill(final MemorySegment input)
    {
        for (int i = 0; i < of.inputCount(rank); i++)
        {
            of.type().put(input, i, of, rank);
        }
    }

    private static MemorySegment copy(final MemorySegment result)
    {
        return MemorySegment.ofArray(result.toArray(JAVA_BYTE));
    }

    private void call(final DataBuffer in, final DataBuffer output)
    {
        final ReduceOp op = of.op().op();
        final int root = of.root();
        final long[] counts = longs(of.countsAsArray());
        switch (of.shape())
        {
            case ALLREDUCE -> communicator.allreduce(in, output, op);
            case REDUCE -> communicator.reduce(in, output, op, root);
            case BROADCAST -> communicator.broadcast(output, root);
            case ALLGATHER -> communicator.allgather(in, output);
            case GATHER -> communicator.gather(in, output, root);
            case REDUCE_SCATTER -> communicator.reduceScatter(in, output, op);
            case SCATTER -> communicator.scatter(in, output, root);
            case ALLTOALL -> communicator.alltoall(in, output);
            case SCAN -> communicator.scan(in, output, op);
            case EXSCAN -> communicator.exscan(in, exscanOutput(output), op);
            case ALLGATHERV -> communicator.allgatherv(in, output, counts);
            case GATHERV -> communicator.gatherv(in, output, counts, root);
            case REDUCE_SCATTERV -> communicator.reduceScatter(in, output, counts, op);
            case SCATTERV -> communicator.scatterv(in, counts, output, root);
            case ALLTOALLV ->
                communicator.alltoallv(in, longs(of.sent(rank)), output, longs(of.received(rank)));
            case MESSAGES -> exchange(in, output);
        }
    }

    private Request request(final DataBuffer in, final DataBuffer output)
    {
        final ReduceOp op = of.op().op();
        final int root = of.root();
        final long[] counts = longs(of.countsAsArray());
        return switch (of.shape())
        {
            case ALLREDUCE -> communicator.iallreduce(in, output, op);
            case REDUCE -> communicator.ireduce(in, output, op, root);
            case BROADCAST -> communicator.ibroadcast(output, root);
            case ALLGATHER -> communicator.iallgather(in, output);
            case GATHER -> communicator.igather(in, output, root);
            case REDUCE_SCATTER -> communicator.ireduceScatter(in, output, op);
            case SCATTER -> communicator.iscatter(in, output, root);
            case ALLTOALL -> communicator.ialltoall(in, output);
            case SCAN -> communicator.iscan(in, output, op);
            case EXSCAN -> communicator.iexscan(in, exscanOutput(output), op);
            case ALLGATHERV -> communicator.iallgatherv(in, output, counts);
            case GATHERV -> communicator.igatherv(in, output, counts, root);
            case REDUCE_SCATTERV -> communicator.ireduceScatter(in, output, counts, op);
            case SCATTERV -> communicator.iscatterv(in, counts, output, root);
            case ALLTOALLV ->
                communicator.ialltoallv(in, longs(of.sent(rank)), output, longs(of.received(rank)));
            case MESSAGES -> throw new IllegalStateException("not a collective");
        };
    }

    /** Output of an exscan: rank 0 receives nothing, but needs as much memory as the others. */
    private DataBuffer exscanOutput(final DataBuffer out)
    {
        return out.count() == of.count(0) ? out : communicator.allocate(of.type().type(), of.count(0));
    }

    private void call(final MemorySegment in, final MemorySegment out)
    {
        final DataType type = of.type().type();
        final ReduceOp op = of.op().op();
        final int root = of.root();
        final long count = of.count(0);
        final long[] counts = longs(of.countsAsArray());
        switch (of.shape())
        {
            case ALLREDUCE -> communicator.allreduce(in, out, count, type, op);
            case REDUCE -> communicator.reduce(in, out, count, type, op, root);
            case BROADCAST -> communicator.broadcast(out, count, type, root);
            case ALLGATHER -> communicator.allgather(in, out, count, type);
            case GATHER -> communicator.gather(in, out, count, type, root);
            case REDUCE_SCATTER -> communicator.reduceScatter(in, out, count, type, op);
            case SCATTER -> communicator.scatter(in, out, count, type, root);
            case ALLTOALL -> communicator.alltoall(in, out, count, type);
            case SCAN -> communicator.scan(in, out, count, type, op);
            case EXSCAN -> communicator.exscan(in, exscanOutput(out), count, type, op);
            case ALLGATHERV -> communicator.allgatherv(in, out, counts, type);
            case GATHERV -> communicator.gatherv(in, of.count(rank), out, counts, type, root);
            case REDUCE_SCATTERV -> communicator.reduceScatter(in, out, counts, type, op);
            case SCATTERV -> communicator.scatterv(in, counts, out, of.count(rank), type, root);
            case ALLTOALLV ->
                communicator.alltoallv(in, longs(of.sent(rank)), out, longs(of.received(rank)), type);
            case MESSAGES -> throw new IllegalStateException("not a collective");
        }
    }

    private MemorySegment exscanOutput(final MemorySegment out)
    {
        final long length = (long)of.count(0) * of.type().size();
        return out.byteSize() == length ? out : Arena.ofAuto().allocate(length, Long.BYTES);
    }

    private static long[] longs(final int... values)
    {
        return Arrays.stream(values).asLongStream().toArray();
    }
}
