/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.wireup.PooledDataBuffer;
import org.tutti.collectives.wireup.Team;

import static java.util.Objects.requireNonNull;

/**
 * Checks the arguments of calls on registered buffers, and settles what ranks have to agree on and where the elements
 * are. Allocates nothing while all is well and the counts of blocks are those of a recent call.
 */
public final class ArgumentChecks
{
    private final Team team;
    private final BlocksCache blocksCache = new BlocksCache();

    public ArgumentChecks(final Team team)
    {
        this.team = team;
    }

    /**
     * Checks a call whose arguments are set, and settles it.
     *
     * @throws IllegalArgumentException if an argument is wrong: the call has not begun, and no other rank knows of it.
     * @throws IllegalStateException    if a buffer is closed.
     */
    public void settle(final CollectiveCall call)
    {
        requireRoot(call.root());
        switch (call.collective())
        {
            case BARRIER -> call.checked(null, null).memory(team.scratch(), team.scratch());
            case BROADCAST -> broadcast(call);
            case ALLREDUCE, REDUCE, SCAN, EXSCAN -> buffers(call);
            case ALLGATHER -> allgather(call);
            case REDUCE_SCATTER -> reduceScatter(call);
            case GATHER -> gather(call);
            case GATHERV -> gatherv(call);
            case SCATTER -> scatter(call);
            case SCATTERV -> scatterv(call);
            case ALLTOALL -> alltoall(call);
            case ALLTOALLV -> alltoallv(call);
        }
    }

    private void broadcast(final CollectiveCall call)
    {
        final PooledDataBuffer own = own("buffer", call.inputArgument());
        call.shape(own.type(), own.count(), null, null).checked(own, own).memory(own.memory(), own.memory());
    }

    /** Both as long; only on the root there is an output, if there is a root. */
    private void buffers(final CollectiveCall call)
    {
        final PooledDataBuffer in = own("input", call.inputArgument());
        if (call.collective().reduces())
        {
            requireOp(call.collective(), in.type(), call.op());
        }
        final PooledDataBuffer out = call.collective().hasRoot() && !isRoot(call) ? in :
            own("output", call.outputArgument());
        if (in.count() != out.count())
        {
            throw new IllegalArgumentException(
                "input has " + in.count() + " elements, output " + out.count() + ": they must be as many");
        }
        call.shape(in.type(), in.count(), null, null).checked(in, out);
        requireApart(call, in.count(), out.count());
    }

    private void allgather(final CollectiveCall call)
    {
        final PooledDataBuffer in = own("input", call.inputArgument());
        final PooledDataBuffer out = own("output", call.outputArgument());
        call.checked(in, out);
        if (call.isUneven())
        {
            final Blocks blocks = blocks("counts", call.counts(), null);
            requireCount("input", in.count(), blocks.length(rank()));
            requireRoom("output", out.count(), blocks);
            shape(call, blocks);
            requireApart(call, in.count(), blocks.extent());
        }
        else
        {
            requireTimes("output", out.count(), "input", in.count());
            call.shape(in.type(), in.count(), null, null);
            requireApart(call, in.count(), out.count());
        }
    }

    private void reduceScatter(final CollectiveCall call)
    {
        final PooledDataBuffer in = own("input", call.inputArgument());
        requireOp(Collective.REDUCE_SCATTER, in.type(), call.op());
        final PooledDataBuffer out = own("output", call.outputArgument());
        call.checked(in, out);
        if (call.isUneven())
        {
            final Blocks blocks = blocks("counts", call.counts(), null);
            requireRoom("input", in.count(), blocks);
            requireCount("output", out.count(), blocks.length(rank()));
            shape(call, blocks);
            requireApart(call, blocks.extent(), out.count());
        }
        else
        {
            requireTimes("input", in.count(), "output", out.count());
            call.shape(in.type(), out.count(), null, null);
            requireApart(call, in.count(), out.count());
        }
    }

    private void gather(final CollectiveCall call)
    {
        final PooledDataBuffer in = own("input", call.inputArgument());
        final PooledDataBuffer out = isRoot(call) ? own("output", call.outputArgument()) : in;
        if (isRoot(call))
        {
            requireTimes("output", out.count(), "input", in.count());
        }
        call.shape(in.type(), in.count(), null, null).checked(in, out);
        requireApart(call, in.count(), out.count());
    }

    private void gatherv(final CollectiveCall call)
    {
        final PooledDataBuffer in = own("input", call.inputArgument());
        final PooledDataBuffer out = isRoot(call) ? own("output", call.outputArgument()) : in;
        final Blocks blocks = isRoot(call) ? blocks("counts", call.counts(), call.displacements()) : null;
        if (blocks != null)
        {
            requireCount("input", in.count(), blocks.length(rank()));
            requireRoom("output", out.count(), blocks);
            requireApart("counts and displacements", blocks);
        }
        call.shape(in.type(), in.count(), blocks, null).checked(in, out);
        requireApart(call, in.count(), blocks == null ? 0 : blocks.extent());
    }

    private void scatter(final CollectiveCall call)
    {
        final PooledDataBuffer out = own("output", call.outputArgument());
        final PooledDataBuffer in = isRoot(call) ? own("input", call.inputArgument()) : out;
        if (isRoot(call))
        {
            requireTimes("input", in.count(), "output", out.count());
        }
        call.shape(in.type(), out.count(), null, null).checked(in, out);
        requireApart(call, in.count(), out.count());
    }

    private void scatterv(final CollectiveCall call)
    {
        final PooledDataBuffer out = own("output", call.outputArgument());
        final PooledDataBuffer in = isRoot(call) ? own("input", call.inputArgument()) : out;
        final Blocks blocks = isRoot(call) ? blocks("counts", call.counts(), call.displacements()) : null;
        if (blocks != null)
        {
            requireCount("output", out.count(), blocks.length(rank()));
            requireRoom("input", in.count(), blocks);
        }
        call.shape(in.type(), out.count(), blocks, null).checked(in, out);
        requireApart(call, blocks == null ? 0 : blocks.extent(), out.count());
    }

    private void alltoall(final CollectiveCall call)
    {
        final PooledDataBuffer in = own("input", call.inputArgument());
        final PooledDataBuffer out = own("output", call.outputArgument());
        if (in.count() != out.count() || in.count() % size() != 0)
        {
            throw new IllegalArgumentException("input has " + in.count() + " elements, output " + out.count() +
                ": they must be as many, and as many for each of " + size() + " ranks");
        }
        call.shape(in.type(), in.count() / size(), null, null).checked(in, out);
        requireApart(call, in.count(), out.count());
    }

    private void alltoallv(final CollectiveCall call)
    {
        final PooledDataBuffer in = own("input", call.inputArgument());
        final PooledDataBuffer out = own("output", call.outputArgument());
        final Blocks sent = blocks("sendCounts", call.counts(), call.displacements());
        final Blocks received = blocks("receiveCounts", call.receiveCounts(), call.receiveDisplacements());
        requireRoom("input", in.count(), sent);
        requireRoom("output", out.count(), received);
        requireApart("receiveCounts and receiveDisplacements", received);
        requireSame(in.memory().address() == out.memory().address(), sent, received);
        requireOwnCount(sent.length(rank()), received.length(rank()));
        call.shape(in.type(), 0, sent, received).checked(in, out);
        requireApart(call, sent.extent(), received.extent());
    }

    /** What a rank sends itself is checked here, as no other rank can. */
    void requireOwnCount(final long sent, final long received)
    {
        if (sent != received)
        {
            throw new IllegalArgumentException("sendCounts[" + rank() + "]=" + sent + ", receiveCounts[" + rank() +
                "]=" + received + ": what a rank sends itself must be as long as what it receives");
        }
    }

    /** In place, what comes from a rank goes where what goes to it is. */
    private static void requireSame(final boolean inPlace, final Blocks sent, final Blocks received)
    {
        if (inPlace && sent.extent() > 0 && !sent.equals(received))
        {
            throw new IllegalArgumentException("input and output are the same, but blocks of " + sent +
                " elements are sent, and of " + received + " received: in place they must be the same");
        }
    }

    /** Of blocks that all ranks know: those of one length are a call like any other of such. */
    private static void shape(final CollectiveCall call, final Blocks blocks)
    {
        final boolean isUniform = blocks.isUniform();
        call.shape(call.input().type(), isUniform ? blocks.longest() : 0, isUniform ? null : blocks, null);
    }

    /** Requires one type, and buffers that are the same, this rank's block of the other, or apart. */
    private void requireApart(final CollectiveCall call, final long inCount, final long outCount)
    {
        final PooledDataBuffer in = call.input();
        final PooledDataBuffer out = call.output();
        final DataType type = in.type();
        if (!type.equals(out.type()))
        {
            throw new IllegalArgumentException(
                "input has type " + type + ", output " + out.type() + ": they must be the same");
        }
        call.memory(in.memory(), out.memory());
        if (in != out && inCount > 0 && outCount > 0 && !call.isInPlace(rank()))
        {
            final long distance = out.memory().address() - in.memory().address();
            if (distance < inCount * type.size() && -distance < outCount * type.size())
            {
                throw overlap(call.collective());
            }
        }
    }

    static IllegalArgumentException overlap(final Collective collective)
    {
        return new IllegalArgumentException(collective.gathers() || collective.scatters() ?
            "input and output overlap, but one is not this rank's block of the other: pass that, or separate ones" :
            "input and output overlap in part: pass the same buffer, or separate ones");
    }

    /** Of any reduction: the operation must be defined on the type, and by the collective. */
    static void requireOp(final Collective collective, final DataType type, final ReduceOp op)
    {
        requireNonNull(op, "op").requireDefinedOn(requireNonNull(type, "type"));
        if (collective != Collective.SCAN && collective != Collective.EXSCAN)
        {
            return;
        }
        switch (op.kind())
        {
            case AVG -> throw new IllegalArgumentException("op=AVG: a scan has another number of inputs on each " +
                "rank: take SUM, and divide by that");
            case PREMUL_SUM -> throw new IllegalArgumentException("op=" + op.shortName() +
                ": a scan does not multiply its inputs: multiply them before, and take SUM");
            default ->
            {
                // The others are defined wherever there is a reduction.
            }
        }
    }

    Blocks blocks(final String name, final long[] counts, final long[] displacements)
    {
        return blocksCache.of(name, counts, displacements, size());
    }

    void requireRoot(final int root)
    {
        if (root < 0 || root >= size())
        {
            throw new IllegalArgumentException("root=" + root + ": must be from 0 to " + (size() - 1));
        }
    }

    static void requireApart(final String name, final Blocks blocks)
    {
        long end = 0;
        boolean sorted = true;
        for (int i = 0; i < blocks.number() && !blocks.isContiguous(); i++)
        {
            sorted &= blocks.length(i) == 0 || blocks.offset(i) >= end;
            end = blocks.length(i) == 0 ? end : blocks.offset(i) + blocks.length(i);
        }
        if (!sorted)
        {
            requireApartInAnyOrder(name, blocks);
        }
    }

    private static void requireApartInAnyOrder(final String name, final Blocks blocks)
    {
        for (int i = 0; i < blocks.number(); i++)
        {
            for (int other = i + 1; other < blocks.number(); other++)
            {
                if (blocks.length(i) > 0 && blocks.length(other) > 0 &&
                    blocks.offset(i) < blocks.offset(other) + blocks.length(other) &&
                    blocks.offset(other) < blocks.offset(i) + blocks.length(i))
                {
                    throw new IllegalArgumentException(name + ": the blocks of ranks " + i + " and " + other +
                        " overlap: what is received must have a place of its own");
                }
            }
        }
    }

    /**
     * Requires a buffer that was allocated by a communicator of this rank's job, and is open.
     *
     * @param name name of the argument.
     */
    public PooledDataBuffer own(final String name, final DataBuffer buffer)
    {
        requireNonNull(buffer, name);
        if (buffer instanceof final PooledDataBuffer pooled && pooled.owner() == team.context())
        {
            return pooled;
        }
        throw new IllegalArgumentException(
            name + " is not of this communicator, nor of one of its family: allocate it here, or pass its segment()");
    }

    private void requireTimes(final String whole, final long count, final String part, final long partCount)
    {
        if (count / size() != partCount || count % size() != 0)
        {
            throw new IllegalArgumentException(whole + " has " + count + " elements, " + part + " " + partCount + ": " +
                whole + " must have " + size() + " times as many, one block per rank");
        }
    }

    private void requireCount(final String name, final long count, final long expected)
    {
        if (count != expected)
        {
            throw new IllegalArgumentException(name + " has " + count + " elements, the counts say " + expected +
                " of rank " + rank() + ": they must be as many");
        }
    }

    private static void requireRoom(final String name, final long count, final Blocks blocks)
    {
        if (count < blocks.extent())
        {
            throw new IllegalArgumentException(
                name + " has " + count + " elements: too short for blocks that end at " + blocks.extent());
        }
    }

    private boolean isRoot(final CollectiveCall call)
    {
        return rank() == call.root();
    }

    private int rank()
    {
        return team.rank();
    }

    private int size()
    {
        return team.size();
    }
}
