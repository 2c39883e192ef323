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

import java.lang.foreign.MemorySegment;

/**
 * What one row measures: a call on buffers of a size, the data before it, and what must be there after it. Blocks of
 * different ranks have different data, as if they were of so many more ranks.
 */
final class Workload implements Call
{
    private final Operation operation;
    private final Communicator communicator;
    private final ReduceOp op;
    private final int root;
    private final int rank;
    private final int size;
    private final long block;
    private final DataBuffer all;
    private final DataBuffer input;
    private final DataBuffer output;

    /** What is done with a part of the output. */
    private interface Part
    {
        long of(TestData data, MemorySegment segment, long count);
    }

    /**
     * For one row.
     *
     * @param operation    what is called.
     * @param communicator of the ranks.
     * @param op           of reductions, else any.
     * @param root         a rank, or any where there is none.
     * @param from         for inputs out of place, at least so long.
     * @param to           for outputs, and inputs in place.
     * @param count        elements: a multiple of the number of ranks where there are blocks.
     * @param inPlace      whether input and output are the same, or one is a block of the other.
     */
    Workload(
        final Operation operation, final Communicator communicator, final ReduceOp op, final int root,
        final DataBuffer from, final DataBuffer to, final long count, final boolean inPlace)
    {
        this.operation = operation;
        this.communicator = communicator;
        this.op = op;
        this.root = root;
        rank = communicator.rank();
        size = communicator.size();
        block = operation.hasBlocks() ? count / size : count;
        all = to.slice(0, count);
        final long own = operation.hasBlocks() ? rank * block : 0;
        switch (operation)
        {
            case ALLGATHER, GATHER ->
            {
                input = inPlace ? to.slice(own, block) : from.slice(0, block);
                output = all;
            }
            case REDUCE_SCATTER, SCATTER ->
            {
                input = inPlace ? all : from.slice(0, count);
                output = to.slice(inPlace ? own : 0, block);
            }
            default ->
            {
                input = inPlace ? all : from.slice(0, count);
                output = all;
            }
        }
    }

    @Override
    public void run()
    {
        switch (operation)
        {
            case ALLREDUCE -> communicator.allreduce(input, output, op);
            case BROADCAST -> communicator.broadcast(output, root);
            case REDUCE -> communicator.reduce(input, output, op, root);
            case ALLGATHER -> communicator.allgather(input, output);
            case REDUCE_SCATTER -> communicator.reduceScatter(input, output, op);
            case GATHER -> communicator.gather(input, output, root);
            case SCATTER -> communicator.scatter(input, output, root);
            case ALLTOALL -> communicator.alltoall(input, output);
            case SCAN -> communicator.scan(input, output, op);
            case EXSCAN -> communicator.exscan(input, output, op);
            case BARRIER -> communicator.barrier();
            case SENDRECV -> communicator.sendrecv(input, (rank + 1) % size, output, left());
            case PUT, GET, PUT_BW, GET_BW -> throw noForm();
        }
    }

    @Override
    public Request start()
    {
        return switch (operation)
        {
            case ALLREDUCE -> communicator.iallreduce(input, output, op);
            case BROADCAST -> communicator.ibroadcast(output, root);
            case REDUCE -> communicator.ireduce(input, output, op, root);
            case ALLGATHER -> communicator.iallgather(input, output);
            case REDUCE_SCATTER -> communicator.ireduceScatter(input, output, op);
            case GATHER -> communicator.igather(input, output, root);
            case SCATTER -> communicator.iscatter(input, output, root);
            case ALLTOALL -> communicator.ialltoall(input, output);
            case SCAN -> communicator.iscan(input, output, op);
            case EXSCAN -> communicator.iexscan(input, output, op);
            case BARRIER -> communicator.ibarrier();
            case SENDRECV, PUT, GET, PUT_BW, GET_BW -> throw noForm();
        };
    }

    @Override
    public PersistentRequest init()
    {
        return switch (operation)
        {
            case ALLREDUCE -> communicator.allreduceInit(input, output, op);
            case BROADCAST -> communicator.broadcastInit(output, root);
            case REDUCE -> communicator.reduceInit(input, output, op, root);
            case ALLGATHER -> communicator.allgatherInit(input, output);
            case REDUCE_SCATTER -> communicator.reduceScatterInit(input, output, op);
            case GATHER -> communicator.gatherInit(input, output, root);
            case SCATTER -> communicator.scatterInit(input, output, root);
            case ALLTOALL -> communicator.alltoallInit(input, output);
            case SCAN -> communicator.scanInit(input, output, op);
            case EXSCAN -> communicator.exscanInit(input, output, op);
            case BARRIER -> communicator.barrierInit();
            case SENDRECV, PUT, GET, PUT_BW, GET_BW -> throw noForm();
        };
    }

    private IllegalStateException noForm()
    {
        return new IllegalStateException(operation.label() + " has no such form here");
    }

    /** Writes this rank's input, and what is not the result where that is expected. */
    @Override
    public void prepare()
    {
        sumOfParts((data, segment, count) ->
        {
            data.poison(segment, count);
            return 0;
        });
        switch (operation)
        {
            case BROADCAST ->
            {
                if (rank == root)
                {
                    fill(output, 0, block, root);
                }
            }
            case REDUCE_SCATTER, SCATTER, ALLTOALL ->
            {
                for (int peer = 0; peer < size && (operation != Operation.SCATTER || rank == root); peer++)
                {
                    fill(input, peer * block, block, switch (operation)
                    {
                        case REDUCE_SCATTER -> peer * size + rank;
                        case SCATTER -> peer * size;
                        default -> rank * size + peer;
                    });
                }
            }
            default -> fill(input, 0, input.count(), rank);
        }
    }

    @Override
    public long countWrong()
    {
        return sumOfParts(TestData::countWrong);
    }

    /** Goes through the parts of this rank's output that come from different ranks. */
    private long sumOfParts(final Part part)
    {
        return switch (operation)
        {
            case ALLREDUCE -> of(part, 0, block, 0, size);
            case BROADCAST -> of(part, 0, block, root, 1);
            case REDUCE -> rank == root ? of(part, 0, block, 0, size) : 0;
            case REDUCE_SCATTER -> of(part, 0, block, rank * size, size);
            case SCATTER -> of(part, 0, block, rank * size, 1);
            case SCAN -> of(part, 0, block, 0, rank + 1);
            case EXSCAN -> rank == 0 ? 0 : of(part, 0, block, 0, rank);
            case SENDRECV -> of(part, 0, block, left(), 1);
            case ALLGATHER, GATHER, ALLTOALL ->
            {
                final boolean hasOutput = operation != Operation.GATHER || rank == root;
                long sum = 0;
                for (int peer = 0; hasOutput && peer < size; peer++)
                {
                    sum += of(
                        part, peer * block, block, operation == Operation.ALLTOALL ? peer * size + rank : peer, 1);
                }
                yield sum;
            }
            // It has no data, or another place for it.
            case BARRIER, PUT, GET, PUT_BW, GET_BW -> 0;
        };
    }

    private int left()
    {
        return (rank + size - 1) % size;
    }

    private void fill(final DataBuffer buffer, final long offset, final long count, final int asRank)
    {
        data(asRank, 1).fill(buffer.slice(offset, count).segment(), count, asRank);
    }

    private long of(final Part part, final long offset, final long count, final int firstRank, final int ranks)
    {
        return part.of(data(firstRank, ranks), output.slice(offset, count).segment(), count);
    }

    private TestData data(final int firstRank, final int ranks)
    {
        return new TestData(all.type(), operation.reduces() ? op : ReduceOp.SUM, size, firstRank, ranks);
    }
}
