/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;
import org.tutti.collectives.pattern.Blocks;

import java.lang.foreign.MemorySegment;

/**
 * Workload of one row: a call on buffers of one size, its input data, and the expected result. Blocks for different
 * ranks hold different data, as if each block came from a rank of its own.
 */
final class Workload implements MeasuredCall
{
    private final Operation operation;
    private final Communicator communicator;
    private final ReduceOp op;
    private final int root;
    private final int rank;
    private final int size;
    /**
     * Blocks of the buffer; in an alltoall those that this rank sends to and receives from each rank, else the same on
     * all ranks.
     */
    private final Blocks blocks;
    /** Counts of the blocks for operations that take counts, else null. */
    private final long[] counts;
    private final DataBuffer all;
    private final DataBuffer input;
    private final DataBuffer output;

    /** An action on a part of the output and the data expected there. */
    private interface Part
    {
        long of(TestData data, MemorySegment segment, long count);
    }

    /**
     * Creates the workload of one row.
     *
     * @param operation    operation to measure.
     * @param communicator communicator of the ranks.
     * @param op           operation of a reduction, else ignored.
     * @param root         root rank, else ignored.
     * @param from         buffer for out-of-place inputs, of at least the needed length.
     * @param to           buffer for outputs and in-place inputs.
     * @param count        elements: a multiple of the number of ranks if all blocks have the same length.
     * @param rule         rule of the block lengths, for operations with counts.
     * @param inPlace      whether input and output are the same, or one is a block of the other.
     */
    Workload(
        final Operation operation, final Communicator communicator, final ReduceOp op, final int root,
        final DataBuffer from, final DataBuffer to, final long count, final CountsRule rule, final boolean inPlace)
    {
        this.operation = operation;
        this.communicator = communicator;
        this.op = op;
        this.root = root;
        rank = communicator.rank();
        size = communicator.size();
        // In an alltoallv, the block from rank a to rank b has a length that depends on a + b, and so is as long as the
        // block from b to a, as the in-place form requires.
        counts = operation.hasCounts() ?
            rule.lengths(count, size, operation == Operation.ALLTOALLV ? rank : 0) : null;
        blocks = counts == null ? Blocks.uniform(size, count / size) : Blocks.of(counts);
        all = to.slice(0, count);
        final long own = blocks.offset(rank);
        final long block = blocks.length(rank);
        switch (operation.even())
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
        if (all instanceof HeapBuffer)
        {
            runOnHeap();
            return;
        }
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
            case ALLGATHERV -> communicator.allgatherv(input, output, counts);
            case REDUCE_SCATTERV -> communicator.reduceScatter(input, output, counts, op);
            case GATHERV -> communicator.gatherv(input, output, counts, root);
            case SCATTERV -> communicator.scatterv(input, counts, output, root);
            case ALLTOALLV -> communicator.alltoallv(input, counts, output, counts);
            case SENDRECV -> communicator.sendrecv(input, right(), output, left());
            case PUT, GET, PUT_BW, GET_BW -> throw noForm();
        }
    }

    private void runOnHeap()
    {
        final MemorySegment in = input.segment();
        final MemorySegment out = output.segment();
        final DataType type = output.type();
        switch (operation)
        {
            case ALLREDUCE -> communicator.allreduce(in, out, output.count(), type, op);
            case BROADCAST -> communicator.broadcast(out, output.count(), type, root);
            case REDUCE -> communicator.reduce(in, out, output.count(), type, op, root);
            case ALLGATHER -> communicator.allgather(in, out, input.count(), type);
            case REDUCE_SCATTER -> communicator.reduceScatter(in, out, output.count(), type, op);
            case GATHER -> communicator.gather(in, out, input.count(), type, root);
            case SCATTER -> communicator.scatter(in, out, output.count(), type, root);
            case ALLTOALL -> communicator.alltoall(in, out, input.count() / size, type);
            case SCAN -> communicator.scan(in, out, output.count(), type, op);
            case EXSCAN -> communicator.exscan(in, out, output.count(), type, op);
            case ALLGATHERV -> communicator.allgatherv(in, out, counts, type);
            case REDUCE_SCATTERV -> communicator.reduceScatter(in, out, counts, type, op);
            case GATHERV -> communicator.gatherv(in, input.count(), out, counts, type, root);
            case SCATTERV -> communicator.scatterv(in, counts, out, output.count(), type, root);
            case ALLTOALLV -> communicator.alltoallv(in, counts, out, counts, type);
            case SENDRECV -> communicator.sendrecv(in, input.count(), right(), out, output.count(), left(), type);
            case BARRIER, PUT, GET, PUT_BW, GET_BW -> throw noForm();
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
            case ALLGATHERV -> communicator.iallgatherv(input, output, counts);
            case REDUCE_SCATTERV -> communicator.ireduceScatter(input, output, counts, op);
            case GATHERV -> communicator.igatherv(input, output, counts, root);
            case SCATTERV -> communicator.iscatterv(input, counts, output, root);
            case ALLTOALLV -> communicator.ialltoallv(input, counts, output, counts);
            case SENDRECV ->
                new SendReceive(communicator.irecv(output, left()), communicator.isend(input, right()));
            case PUT, GET, PUT_BW, GET_BW -> throw noForm();
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
            case ALLGATHERV -> communicator.allgathervInit(input, output, counts);
            case REDUCE_SCATTERV -> communicator.reduceScatterInit(input, output, counts, op);
            case GATHERV -> communicator.gathervInit(input, output, counts, root);
            case SCATTERV -> communicator.scattervInit(input, counts, output, root);
            case ALLTOALLV -> communicator.alltoallvInit(input, counts, output, counts);
            case SENDRECV -> new SendReceive.Bound(
                communicator.recvInit(output, left()), communicator.sendInit(input, right()));
            case PUT, GET, PUT_BW, GET_BW -> throw noForm();
        };
    }

    private IllegalStateException noForm()
    {
        return new IllegalStateException(
            operation.label() + " is one-sided: OneSidedWorkload or StreamWorkload measures it");
    }

    /** Writes this rank's input, and values that differ from the result where output is expected. */
    @Override
    public void prepare()
    {
        sumOfParts((data, segment, count) ->
        {
            data.poison(segment, count);
            return 0;
        });
        final Operation even = operation.even();
        switch (even)
        {
            case BROADCAST ->
            {
                if (rank == root)
                {
                    fill(output, 0, output.count(), root);
                }
            }
            case REDUCE_SCATTER, SCATTER, ALLTOALL ->
            {
                for (int peer = 0; peer < size && (even != Operation.SCATTER || rank == root); peer++)
                {
                    fill(input, blocks.offset(peer), blocks.length(peer), switch (even)
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

    /**
     * Calls an action for each part of this rank's output, such as the block from each rank, and adds up the results.
     */
    private long sumOfParts(final Part part)
    {
        final Operation even = operation.even();
        final long count = output.count();
        return switch (even)
        {
            case ALLREDUCE -> of(part, 0, count, 0, size);
            case BROADCAST -> of(part, 0, count, root, 1);
            case REDUCE -> rank == root ? of(part, 0, count, 0, size) : 0;
            case REDUCE_SCATTER -> of(part, 0, count, rank * size, size);
            case SCATTER -> of(part, 0, count, rank * size, 1);
            case SCAN -> of(part, 0, count, 0, rank + 1);
            case EXSCAN -> rank == 0 ? 0 : of(part, 0, count, 0, rank);
            case SENDRECV -> of(part, 0, count, left(), 1);
            case ALLGATHER, GATHER, ALLTOALL ->
            {
                final boolean hasOutput = even != Operation.GATHER || rank == root;
                long sum = 0;
                for (int peer = 0; hasOutput && peer < size; peer++)
                {
                    sum += of(part, blocks.offset(peer), blocks.length(peer),
                        even == Operation.ALLTOALL ? peer * size + rank : peer, 1);
                }
                yield sum;
            }
            // Barriers have no data, and one-sided operations have other workloads; {@code even} is never an operation
            // with counts.
            case BARRIER, PUT, GET, PUT_BW, GET_BW, ALLGATHERV, REDUCE_SCATTERV, GATHERV, SCATTERV, ALLTOALLV -> 0;
        };
    }

    private int right()
    {
        return (rank + 1) % size;
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
