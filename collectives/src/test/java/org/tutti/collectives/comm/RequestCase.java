/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

/** A call with its buffers that can be made in all forms, the same on every rank. */
final class RequestCase
{
    private static final int COUNT = 37;

    private final int number;
    private final int rank;
    private final String name;
    private final Call<?> blocking;
    private final Call<Request> started;
    private final Call<PersistentRequest> persistent;
    private final DataBuffer input;
    private final DataBuffer output;
    private final DataBuffer expected;

    /** A form of the call. */
    interface Call<R>
    {
        R make(DataBuffer input, DataBuffer output);
    }

    /** A call without a result. */
    interface Blocking extends Call<Void>
    {
        void run(DataBuffer input, DataBuffer output);

        @Override
        default Void make(final DataBuffer input, final DataBuffer output)
        {
            run(input, output);
            return null;
        }
    }

    private RequestCase(
        final Communicator communicator, final int number, final String name, final long inCount, final long outCount,
        final Blocking blocking, final Call<Request> started, final Call<PersistentRequest> persistent)
    {
        this.number = number;
        rank = communicator.rank();
        this.name = name + " on rank " + rank;
        this.blocking = blocking;
        this.started = started;
        this.persistent = persistent;
        input = communicator.allocate(DataType.INT32, inCount);
        output = communicator.allocate(DataType.INT32, outCount);
        expected = communicator.allocate(DataType.INT32, outCount);
    }

    /** Returns a call of each collective, in the same order on all ranks. */
    static List<RequestCase> all(final Communicator communicator, final int root)
    {
        return all(communicator, root, COUNT);
    }

    /** As above, for calls with a number of elements. */
    static List<RequestCase> all(final Communicator communicator, final int root, final int count)
    {
        return new Maker(communicator, root, count).make();
    }

    /**
     * Fills all buffers with new values that identify their rank: outputs are partly unwritten, and a root's is read.
     */
    void fill(final long salt)
    {
        fill(input, salt);
        fill(output, salt + 1);
        fill(expected, salt + 1);
    }

    private void fill(final DataBuffer buffer, final long salt)
    {
        for (long i = 0; i < buffer.count(); i++)
        {
            buffer.segment().setAtIndex(JAVA_INT, i, (int)(salt * 7919 + rank * 100_003L + number * 1009L + i * 31));
        }
    }

    void run()
    {
        blocking.make(input, output);
    }

    Request start()
    {
        return started.make(input, output);
    }

    PersistentRequest init()
    {
        return persistent.make(input, output);
    }

    /** Repeats the call in blocking form, and requires that the outputs do not change. */
    void requireSameAsBlocking()
    {
        blocking.make(input, expected);
        assertArrayEquals(expected.segment().toArray(JAVA_INT), output.segment().toArray(JAVA_INT), name);
    }

    void close()
    {
        input.close();
        output.close();
        expected.close();
    }

    @Override
    public String toString()
    {
        return name;
    }

    /** Builds the cases. */
    private static final class Maker
    {
        private final Communicator communicator;
        private final int root;
        private final int count;
        private final int size;
        private final int rank;
        private final boolean isRoot;
        private final long[] counts;
        private final long[] places;
        private final long total;
        private final List<RequestCase> cases = new ArrayList<>();

        Maker(final Communicator communicator, final int root, final int count)
        {
            this.communicator = communicator;
            this.root = root;
            this.count = count;
            size = communicator.size();
            rank = communicator.rank();
            isRoot = rank == root;
            counts = new long[size];
            Arrays.setAll(counts, i -> 1 + count / 7L * i);
            places = CollectiveCase.places(counts, 2);
            total = Arrays.stream(counts).sum();
        }

        List<RequestCase> make()
        {
            addPlain();
            addBlocks();
            addUneven();
            addPlaced();
            return cases;
        }

        private void add(
            final String name, final long inCount, final long outCount, final Blocking blocking,
            final Call<Request> started, final Call<PersistentRequest> persistent)
        {
            cases.add(new RequestCase(
                communicator, cases.size(), name, inCount, outCount, blocking, started, persistent));
        }

        private void addPlain()
        {
            final ReduceOp op = ReduceOp.SUM;
            add("allreduce", count, count, (in, out) -> communicator.allreduce(in, out, op),
                (in, out) -> communicator.iallreduce(in, out, op),
                (in, out) -> communicator.allreduceInit(in, out, op));
            add("barrier", 0, 0, (_, _) -> communicator.barrier(), (_, _) -> communicator.ibarrier(),
                (_, _) -> communicator.barrierInit());
            add("reduce", count, isRoot ? count : 0,
                (in, out) -> communicator.reduce(in, isRoot ? out : null, op, root),
                (in, out) -> communicator.ireduce(in, isRoot ? out : null, op, root),
                (in, out) -> communicator.reduceInit(in, isRoot ? out : null, op, root));
            add("scan", count, count, (in, out) -> communicator.scan(in, out, op),
                (in, out) -> communicator.iscan(in, out, op), (in, out) -> communicator.scanInit(in, out, op));
            add("exscan", count, count, (in, out) -> communicator.exscan(in, out, op),
                (in, out) -> communicator.iexscan(in, out, op), (in, out) -> communicator.exscanInit(in, out, op));
            add("broadcast", 0, count, (_, out) -> communicator.broadcast(out, root),
                (_, out) -> communicator.ibroadcast(out, root), (_, out) -> communicator.broadcastInit(out, root));
        }

        private void addBlocks()
        {
            final ReduceOp op = ReduceOp.MAX;
            final long all = (long)size * count;
            add("allgather", count, all, communicator::allgather, communicator::iallgather,
                communicator::allgatherInit);
            add("reduceScatter", all, count, (in, out) -> communicator.reduceScatter(in, out, op),
                (in, out) -> communicator.ireduceScatter(in, out, op),
                (in, out) -> communicator.reduceScatterInit(in, out, op));
            add("gather", count, isRoot ? all : 0, (in, out) -> communicator.gather(in, out, root),
                (in, out) -> communicator.igather(in, out, root),
                (in, out) -> communicator.gatherInit(in, out, root));
            add("scatter", isRoot ? all : 0, count, (in, out) -> communicator.scatter(in, out, root),
                (in, out) -> communicator.iscatter(in, out, root),
                (in, out) -> communicator.scatterInit(in, out, root));
            add("alltoall", all, all, communicator::alltoall, communicator::ialltoall, communicator::alltoallInit);
        }

        private void addUneven()
        {
            final ReduceOp op = ReduceOp.MIN;
            final long[] same = new long[size];
            Arrays.fill(same, counts[rank]);
            add("allgatherv", counts[rank], total, (in, out) -> communicator.allgatherv(in, out, counts),
                (in, out) -> communicator.iallgatherv(in, out, counts.clone()),
                (in, out) -> communicator.allgathervInit(in, out, counts.clone()));
            add("reduceScatter of counts", total, counts[rank],
                (in, out) -> communicator.reduceScatter(in, out, counts, op),
                (in, out) -> communicator.ireduceScatter(in, out, counts, op),
                (in, out) -> communicator.reduceScatterInit(in, out, counts, op));
            add("gatherv", counts[rank], isRoot ? total : 0,
                (in, out) -> communicator.gatherv(in, out, counts, root),
                (in, out) -> communicator.igatherv(in, out, counts, root),
                (in, out) -> communicator.gathervInit(in, out, counts, root));
            add("scatterv", isRoot ? total : 0, counts[rank],
                (in, out) -> communicator.scatterv(in, counts, out, root),
                (in, out) -> communicator.iscatterv(in, counts, out, root),
                (in, out) -> communicator.scattervInit(in, counts, out, root));
            add("alltoallv", size * counts[rank], total,
                (in, out) -> communicator.alltoallv(in, same, out, counts),
                (in, out) -> communicator.ialltoallv(in, same, out, counts),
                (in, out) -> communicator.alltoallvInit(in, same, out, counts));
        }

        private void addPlaced()
        {
            final long end = places[size - 1] + counts[size - 1];
            final long[] same = new long[size];
            Arrays.fill(same, counts[rank]);
            final long[] samePlaces = CollectiveCase.places(same, 1);
            add("placed gatherv", counts[rank], isRoot ? end : 0,
                (in, out) -> communicator.gatherv(in, out, counts, places, root),
                (in, out) -> communicator.igatherv(in, out, counts, places, root),
                (in, out) -> communicator.gathervInit(in, out, counts, places, root));
            add("placed scatterv", isRoot ? end : 0, counts[rank],
                (in, out) -> communicator.scatterv(in, counts, places, out, root),
                (in, out) -> communicator.iscatterv(in, counts, places, out, root),
                (in, out) -> communicator.scattervInit(in, counts, places, out, root));
            add("placed alltoallv", samePlaces[size - 1] + counts[rank], end,
                (in, out) -> communicator.alltoallv(in, same, samePlaces, out, counts, places),
                (in, out) -> communicator.ialltoallv(in, same, samePlaces, out, counts, places),
                (in, out) -> communicator.alltoallvInit(in, same, samePlaces, out, counts, places));
        }
    }
}
