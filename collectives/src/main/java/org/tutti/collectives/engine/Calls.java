/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.schedule.Collective;

import static java.util.Objects.requireNonNull;

/**
 * Checks what callers pass of registered memory, and makes calls of it. Allocates nothing itself.
 *
 * @param <R> what a call gives its caller: nothing, or a request.
 */
abstract class Calls<R>
{
    private final Session session;

    Calls(final Session session)
    {
        this.session = session;
    }

    /**
     * Makes a call that was checked.
     *
     * @param type     of the elements, or null.
     * @param op       or null.
     * @param count    of buffers, of a block, or of this rank's own; else 0.
     * @param blocks   as {@link PlanCache#find} takes them.
     * @param received as {@link PlanCache#find} takes them.
     * @param in       or null, if there are no elements.
     * @param out      or null, if there are no elements.
     * @return for the caller.
     */
    @SuppressWarnings("checkstyle:ParameterNumber")
    abstract R make(
        Collective collective, DataType type, ReduceOp op, long count, int root,
        Blocks blocks, Blocks received, PooledDataBuffer in, PooledDataBuffer out);

    R barrier()
    {
        return make(Collective.BARRIER, null, null, 0, 0, null, null, null, null);
    }

    R broadcast(final DataBuffer buffer, final int root)
    {
        requireRoot(root);
        final PooledDataBuffer own = own("buffer", buffer);
        return make(Collective.BROADCAST, own.type(), null, own.count(), root, null, null, own, own);
    }

    /** Of the same count everywhere. The output may be null where there is none. */
    R reduce(
        final Collective collective, final DataBuffer input, final DataBuffer output, final ReduceOp op,
        final int root)
    {
        requireRoot(root);
        final PooledDataBuffer in = own("input", input);
        requireOp(collective, in.type(), op);
        final PooledDataBuffer out = collective == Collective.REDUCE && !isRoot(root) ? in : own("output", output);
        if (in.count() != out.count())
        {
            throw new IllegalArgumentException(
                "input has " + in.count() + " elements, output " + out.count() + ": they must be as many");
        }
        return run(collective, op, in.count(), root, null, null, in, in.count(), out, out.count());
    }

    R allgather(final DataBuffer input, final DataBuffer output)
    {
        final PooledDataBuffer in = own("input", input);
        final PooledDataBuffer out = own("output", output);
        requireTimes("output", out.count(), "input", in.count());
        return run(Collective.ALLGATHER, null, in.count(), 0, null, null, in, in.count(), out, out.count());
    }

    R allgatherv(final DataBuffer input, final DataBuffer output, final long[] counts)
    {
        final PooledDataBuffer in = own("input", input);
        final PooledDataBuffer out = own("output", output);
        final Blocks blocks = blocks("counts", counts, null);
        requireCount("input", in.count(), blocks.length(rank()));
        requireRoom("output", out.count(), blocks);
        return runUneven(Collective.ALLGATHER, null, blocks, in, in.count(), out, blocks.extent());
    }

    R reduceScatter(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        final PooledDataBuffer in = own("input", input);
        requireOp(Collective.REDUCE_SCATTER, in.type(), op);
        final PooledDataBuffer out = own("output", output);
        requireTimes("input", in.count(), "output", out.count());
        return run(Collective.REDUCE_SCATTER, op, out.count(), 0, null, null, in, in.count(), out, out.count());
    }

    R reduceScatter(final DataBuffer input, final DataBuffer output, final long[] counts, final ReduceOp op)
    {
        final PooledDataBuffer in = own("input", input);
        requireOp(Collective.REDUCE_SCATTER, in.type(), op);
        final PooledDataBuffer out = own("output", output);
        final Blocks blocks = blocks("counts", counts, null);
        requireRoom("input", in.count(), blocks);
        requireCount("output", out.count(), blocks.length(rank()));
        return runUneven(Collective.REDUCE_SCATTER, op, blocks, in, blocks.extent(), out, out.count());
    }

    R gather(final DataBuffer input, final DataBuffer output, final int root)
    {
        requireRoot(root);
        final PooledDataBuffer in = own("input", input);
        final PooledDataBuffer out = isRoot(root) ? own("output", output) : in;
        if (isRoot(root))
        {
            requireTimes("output", out.count(), "input", in.count());
        }
        return run(Collective.GATHER, null, in.count(), root, null, null, in, in.count(), out, out.count());
    }

    R gatherv(
        final DataBuffer input, final DataBuffer output, final long[] counts, final long[] displacements,
        final int root)
    {
        requireRoot(root);
        final PooledDataBuffer in = own("input", input);
        final PooledDataBuffer out = isRoot(root) ? own("output", output) : in;
        final Blocks blocks = isRoot(root) ? blocks("counts", counts, displacements) : null;
        if (isRoot(root))
        {
            requireCount("input", in.count(), blocks.length(rank()));
            requireRoom("output", out.count(), blocks);
            requireApart("counts and displacements", blocks);
        }
        return run(
            Collective.GATHERV, null, in.count(), root, blocks, null,
            in, in.count(), out, blocks == null ? 0 : blocks.extent());
    }

    R scatter(final DataBuffer input, final DataBuffer output, final int root)
    {
        requireRoot(root);
        final PooledDataBuffer out = own("output", output);
        final PooledDataBuffer in = isRoot(root) ? own("input", input) : out;
        if (isRoot(root))
        {
            requireTimes("input", in.count(), "output", out.count());
        }
        return run(Collective.SCATTER, null, out.count(), root, null, null, in, in.count(), out, out.count());
    }

    R scatterv(
        final DataBuffer input, final long[] counts, final long[] displacements, final DataBuffer output,
        final int root)
    {
        requireRoot(root);
        final PooledDataBuffer out = own("output", output);
        final PooledDataBuffer in = isRoot(root) ? own("input", input) : out;
        final Blocks blocks = isRoot(root) ? blocks("counts", counts, displacements) : null;
        if (isRoot(root))
        {
            requireCount("output", out.count(), blocks.length(rank()));
            requireRoom("input", in.count(), blocks);
        }
        return run(
            Collective.SCATTERV, null, out.count(), root, blocks, null,
            in, blocks == null ? 0 : blocks.extent(), out, out.count());
    }

    R alltoall(final DataBuffer input, final DataBuffer output)
    {
        final PooledDataBuffer in = own("input", input);
        final PooledDataBuffer out = own("output", output);
        if (in.count() != out.count() || in.count() % size() != 0)
        {
            throw new IllegalArgumentException("input has " + in.count() + " elements, output " + out.count() +
                ": they must be as many, and as many for each of " + size() + " ranks");
        }
        return run(Collective.ALLTOALL, null, in.count() / size(), 0, null, null, in, in.count(), out, out.count());
    }

    R alltoallv(
        final DataBuffer input, final long[] sendCounts, final long[] sendDisplacements,
        final DataBuffer output, final long[] receiveCounts, final long[] receiveDisplacements)
    {
        final PooledDataBuffer in = own("input", input);
        final PooledDataBuffer out = own("output", output);
        final Blocks sent = blocks("sendCounts", sendCounts, sendDisplacements);
        final Blocks received = blocks("receiveCounts", receiveCounts, receiveDisplacements);
        requireRoom("input", in.count(), sent);
        requireRoom("output", out.count(), received);
        requireApart("receiveCounts and receiveDisplacements", received);
        requireSame(in.memory().address() == out.memory().address(), sent, received);
        requireOwnCount(sent.length(rank()), received.length(rank()));
        return run(Collective.ALLTOALLV, null, 0, 0, sent, received, in, sent.extent(), out, received.extent());
    }

    /** What a rank sends itself is checked here, as nobody else can. */
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

    /** Of blocks that all know: those of one length are a call like any other of such. */
    private R runUneven(
        final Collective collective, final ReduceOp op, final Blocks blocks,
        final PooledDataBuffer in, final long inCount, final PooledDataBuffer out, final long outCount)
    {
        return blocks.isUniform() ?
            run(collective, op, blocks.longest(), 0, null, null, in, inCount, out, outCount) :
            run(collective, op, 0, 0, blocks, null, in, inCount, out, outCount);
    }

    @SuppressWarnings("checkstyle:ParameterNumber")
    private R run(
        final Collective collective, final ReduceOp op, final long count, final int root,
        final Blocks blocks, final Blocks received,
        final PooledDataBuffer in, final long inCount, final PooledDataBuffer out, final long outCount)
    {
        final DataType type = in.type();
        if (!type.equals(out.type()))
        {
            throw new IllegalArgumentException(
                "input has type " + type + ", output " + out.type() + ": they must be the same");
        }
        if (in != out && inCount > 0 && outCount > 0 &&
            !InPlace.is(collective, rank(), type, count, blocks, in.memory(), out.memory()))
        {
            final long distance = out.memory().address() - in.memory().address();
            if (distance < inCount * type.size() && -distance < outCount * type.size())
            {
                throw overlap(collective);
            }
        }
        return make(collective, type, op, count, root, blocks, received, in, out);
    }

    static IllegalArgumentException overlap(final Collective collective)
    {
        return new IllegalArgumentException(switch (collective)
        {
            case ALLGATHER, GATHER, GATHERV, REDUCE_SCATTER, SCATTER, SCATTERV -> "input and output overlap, but one " +
                "is not this rank's block of the other: pass that, or separate ones";
            default -> "input and output overlap in part: pass the same buffer, or separate ones";
        });
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
        return session.knownBlocks().of(name, counts, displacements, size());
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

    PooledDataBuffer own(final String name, final DataBuffer buffer)
    {
        requireNonNull(buffer, name);
        if (buffer instanceof final PooledDataBuffer pooled && pooled.owner() == session.mesh().family())
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

    private boolean isRoot(final int root)
    {
        return rank() == root;
    }

    private int rank()
    {
        return session.mesh().rank();
    }

    private int size()
    {
        return session.mesh().size();
    }
}
