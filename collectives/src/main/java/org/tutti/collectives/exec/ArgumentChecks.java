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
import org.tutti.rdma.memory.RegisteredBuffer;

import static java.util.Objects.requireNonNull;

/**
 * Checks the arguments of calls on registered buffers, and determines what ranks have to agree on and the addresses of
 * the elements. Allocates nothing on success if the counts of blocks are those of a recent call.
 */
public final class ArgumentChecks
{
    private final Team team;
    private final RegisteredBuffer scratch;
    private final BlocksCache blocksCache = new BlocksCache();

    public ArgumentChecks(final Team team)
    {
        this.team = team;
        scratch = team.memory().scratch();
    }

    /**
     * Checks the arguments of a call, and sets the fields that depend on them.
     *
     * @throws IllegalArgumentException if an argument is invalid; the call has not begun, and no other rank is
     *                                  affected.
     * @throws IllegalStateException    if a buffer is closed.
     */
    public void settle(final CollectiveCall call)
    {
        requireRoot(call.root());
        switch (call.collective())
        {
            case BARRIER -> call.shape(null, 0, null, null).checked(null, null).memory(scratch, scratch);
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
        call.shape(own.type(), own.count(), null, null).checked(own, own).memoryOfBuffers();
    }

    /**
     * Checks a call whose input and output have the same length. Rooted collectives have an output on the root only.
     */
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
                "input and output counts differ: " + in.count() + " != " + out.count());
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
            throw new IllegalArgumentException("input and output counts must be equal and multiples of " + size() +
                ", the number of ranks: input " + in.count() + ", output " + out.count());
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
        requireSame(in.address() == out.address(), sent, received);
        requireOwnCount(sent.length(rank()), received.length(rank()));
        call.shape(in.type(), 0, sent, received).checked(in, out);
        requireApart(call, sent.extent(), received.extent());
    }

    /** Checks the block that a rank sends to itself, because no other rank can detect a mismatch there. */
    void requireOwnCount(final long sent, final long received)
    {
        if (sent != received)
        {
            throw new IllegalArgumentException("sendCounts[" + rank() + "] and receiveCounts[" + rank() + "] differ: " +
                sent + " != " + received + ": a rank must receive as much from itself as it sends to itself");
        }
    }

    /** Requires equal blocks in place, where the block received from a rank replaces the block sent to that rank. */
    private static void requireSame(final boolean inPlace, final Blocks sent, final Blocks received)
    {
        if (inPlace && sent.extent() > 0 && !sent.equals(received))
        {
            throw new IllegalArgumentException(
                "sent and received blocks of a call in place differ: " + sent + " != " + received);
        }
    }

    /**
     * Sets the shape of a call with blocks known to all ranks; blocks of equal lengths are treated as a uniform call.
     */
    private static void shape(final CollectiveCall call, final Blocks blocks)
    {
        final boolean isUniform = blocks.isUniform();
        call.shape(call.input().type(), isUniform ? blocks.longest() : 0, isUniform ? null : blocks, null);
    }

    /** Requires equal types, and buffers that are identical, this rank's block of the other, or disjoint. */
    private void requireApart(final CollectiveCall call, final long inCount, final long outCount)
    {
        final PooledDataBuffer in = call.input();
        final PooledDataBuffer out = call.output();
        final DataType type = in.type();
        if (!type.equals(out.type()))
        {
            throw new IllegalArgumentException("input and output types differ: " + type + " != " + out.type());
        }
        call.memoryOfBuffers();
        if (in != out && inCount > 0 && outCount > 0 && !call.isInPlace(rank(), in.address(), out.address()))
        {
            final long distance = out.address() - in.address();
            if (distance < inCount * type.size() && -distance < outCount * type.size())
            {
                throw overlap(call.collective());
            }
        }
    }

    static IllegalArgumentException overlap(final Collective collective)
    {
        return new IllegalArgumentException(collective.gathers() || collective.scatters() ?
            "input and output overlap partially: in place, the shorter buffer must be this rank's block of the " +
            "longer one; else pass disjoint buffers" :
            "input and output overlap partially: pass the same buffer, or disjoint buffers");
    }

    /** Requires that the operation of a reduction is defined on the type and supported by the collective. */
    static void requireOp(final Collective collective, final DataType type, final ReduceOp op)
    {
        requireNonNull(op, "op").requireDefinedOn(requireNonNull(type, "type"));
        if (collective != Collective.SCAN && collective != Collective.EXSCAN)
        {
            return;
        }
        switch (op.kind())
        {
            case AVG -> throw new IllegalArgumentException("op=AVG: a scan has a different number of inputs on " +
                "each rank: use SUM, and divide by that number");
            case PREMUL_SUM -> throw new IllegalArgumentException("op=" + op.shortName() +
                ": not supported by scans: multiply the inputs before, and use SUM");
            default ->
            {
                // All other operations are supported by all reductions.
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
                        " overlap: received blocks must be disjoint");
                }
            }
        }
    }

    /**
     * Requires a buffer that was allocated by a communicator that shares this one's context.
     *
     * @param name name of the argument.
     */
    public PooledDataBuffer own(final String name, final DataBuffer buffer)
    {
        requireNonNull(buffer, name);
        if (buffer instanceof final PooledDataBuffer pooled && pooled.owner() == team.context())
        {
            if (pooled.isUsers())
            {
                pooled.requireOpen();
            }
            return pooled;
        }
        throw new IllegalArgumentException(
            name + " belongs to an unrelated communicator: allocate it with this communicator, or pass its segment()");
    }

    /**
     * As {@link #own}, and requires memory that peers can access.
     *
     * @param name name of the argument.
     */
    public PooledDataBuffer reachable(final String name, final DataBuffer buffer)
    {
        final PooledDataBuffer own = own(name, buffer);
        if (own.isStaged())
        {
            throw new IllegalArgumentException(name + " is memory that ranks of this host cannot access: for " +
                "windows, use allocate(), or register memory of allocator()");
        }
        return own;
    }

    private void requireTimes(final String whole, final long count, final String block, final long blockCount)
    {
        if (count / size() != blockCount || count % size() != 0)
        {
            throw new IllegalArgumentException(whole + " must have " + size() + " times as many elements as " + block +
                ", one block per rank: " + count + " != " + size() + " × " + blockCount);
        }
    }

    private void requireCount(final String name, final long count, final long expected)
    {
        if (count != expected)
        {
            throw new IllegalArgumentException(
                name + " count and counts[" + rank() + "] differ: " + count + " != " + expected);
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
