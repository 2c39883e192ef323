/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.schedule.Collective;

import java.lang.foreign.MemorySegment;

import static java.util.Objects.requireNonNull;

/** Checks what callers pass of memory that is not registered, and has it staged. */
final class StagedCalls
{
    private static final long NONE = -1;

    private final Session session;
    private final Calls<?> checks;
    private final long timeoutNs;

    StagedCalls(final Session session, final Calls<?> checks, final long timeoutNs)
    {
        this.session = session;
        this.checks = checks;
        this.timeoutNs = timeoutNs;
    }

    void broadcast(final MemorySegment buffer, final long count, final DataType type, final int root)
    {
        checks.requireRoot(root);
        if (isRoot(root))
        {
            requireReadable("buffer", buffer, count, type);
        }
        else
        {
            requireWritable("buffer", buffer, count, type);
        }
        session.staging().run(
            Collective.BROADCAST, isRoot(root) ? buffer : null, isRoot(root) ? null : buffer, count, type, null, root,
            timeoutNs);
    }

    /** Of the same count everywhere. */
    void reduce(
        final Collective collective, final MemorySegment input, final MemorySegment output, final long count,
        final DataType type, final ReduceOp op, final int root)
    {
        Calls.requireOp(collective, type, op);
        checks.requireRoot(root);
        final boolean hasOutput = collective != Collective.REDUCE || isRoot(root);
        requireMemory(collective, input, count, output, hasOutput ? count : NONE, type, 0);
        final boolean isWritten = hasOutput && (collective != Collective.EXSCAN || rank() > 0);
        session.staging().run(collective, input, isWritten ? output : null, count, type, op, root, timeoutNs);
    }

    void allgather(final MemorySegment input, final MemorySegment output, final long count, final DataType type)
    {
        run(Collective.ALLGATHER, input, output, type, null, 0, count, uniform(count), null);
    }

    void allgatherv(final MemorySegment input, final MemorySegment output, final long[] counts, final DataType type)
    {
        run(Collective.ALLGATHER, input, output, type, null, 0, 0, checks.blocks("counts", counts, null), null);
    }

    void reduceScatter(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type,
        final ReduceOp op)
    {
        Calls.requireOp(Collective.REDUCE_SCATTER, type, op);
        run(Collective.REDUCE_SCATTER, input, output, type, op, 0, count, uniform(count), null);
    }

    void reduceScatter(
        final MemorySegment input, final MemorySegment output, final long[] counts, final DataType type,
        final ReduceOp op)
    {
        Calls.requireOp(Collective.REDUCE_SCATTER, type, op);
        run(Collective.REDUCE_SCATTER, input, output, type, op, 0, 0, checks.blocks("counts", counts, null), null);
    }

    void gather(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type, final int root)
    {
        checks.requireRoot(root);
        run(Collective.GATHER, input, output, type, null, root, count, uniform(count), null);
    }

    void gatherv(
        final MemorySegment input, final long count, final MemorySegment output, final long[] counts,
        final DataType type, final int root)
    {
        checks.requireRoot(root);
        final Blocks blocks = isRoot(root) ? ownBlocks("counts", counts, count) : null;
        run(Collective.GATHERV, input, output, type, null, root, count, blocks, null);
    }

    void scatter(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type, final int root)
    {
        checks.requireRoot(root);
        run(Collective.SCATTER, input, output, type, null, root, count, uniform(count), null);
    }

    void scatterv(
        final MemorySegment input, final long[] counts, final MemorySegment output, final long count,
        final DataType type, final int root)
    {
        checks.requireRoot(root);
        final Blocks blocks = isRoot(root) ? ownBlocks("counts", counts, count) : null;
        run(Collective.SCATTERV, input, output, type, null, root, count, blocks, null);
    }

    void alltoall(final MemorySegment input, final MemorySegment output, final long count, final DataType type)
    {
        final Blocks blocks = uniform(count);
        run(Collective.ALLTOALL, input, output, type, null, 0, count, blocks, blocks);
    }

    void alltoallv(
        final MemorySegment input, final long[] sendCounts, final MemorySegment output, final long[] receiveCounts,
        final DataType type)
    {
        final Blocks sent = checks.blocks("sendCounts", sendCounts, null);
        final Blocks received = checks.blocks("receiveCounts", receiveCounts, null);
        checks.requireOwnCount(sent.length(rank()), received.length(rank()));
        run(Collective.ALLTOALLV, input, output, type, null, 0, 0, sent, received);
    }

    /** Blocks are those of the call as far as this rank knows them, those of one length too. */
    @SuppressWarnings("checkstyle:ParameterNumber")
    private void run(
        final Collective collective, final MemorySegment input, final MemorySegment output, final DataType type,
        final ReduceOp op, final int root, final long count, final Blocks blocks, final Blocks received)
    {
        final long ownCount = blocks == null ? count : blocks.length(rank());
        final Blocks in;
        final Blocks out;
        switch (collective)
        {
            case ALLGATHER ->
            {
                in = Blocks.of(ownCount);
                out = blocks;
            }
            case GATHER, GATHERV ->
            {
                in = Blocks.of(ownCount);
                out = isRoot(root) ? blocks : null;
            }
            case REDUCE_SCATTER ->
            {
                in = blocks;
                out = Blocks.of(ownCount);
            }
            case SCATTER, SCATTERV ->
            {
                in = isRoot(root) ? blocks : null;
                out = Blocks.of(ownCount);
            }
            default ->
            {
                in = blocks;
                out = received;
            }
        }
        final long start = blocks == null ? 0 : blocks.offset(rank());
        requireMemory(
            collective, input, in == null ? NONE : in.total(), output, out == null ? NONE : out.total(), type, start);
        session.blockStaging().run(collective, input, in, output, out, type, op, root, blocks, timeoutNs);
    }

    /**
     * Checks both buffers.
     *
     * @param inCount  elements, or {@link #NONE} where there is no input.
     * @param outCount elements, or {@link #NONE} where there is no output.
     * @param start    of this rank's block, in the buffer that has blocks.
     */
    private static void requireMemory(
        final Collective collective, final MemorySegment input, final long inCount,
        final MemorySegment output, final long outCount, final DataType type, final long start)
    {
        if (inCount != NONE)
        {
            requireReadable("input", input, inCount, type);
        }
        if (outCount != NONE)
        {
            requireWritable("output", output, outCount, type);
        }
        if (inCount == NONE || outCount == NONE)
        {
            return;
        }
        final MemorySegment in = input.asSlice(0, inCount * type.size());
        final MemorySegment out = output.asSlice(0, outCount * type.size());
        if (in.asOverlappingSlice(out).isPresent())
        {
            final long own = start * type.size();
            final long expected = switch (collective)
            {
                case ALLGATHER, GATHER, GATHERV -> -own;
                case REDUCE_SCATTER, SCATTER, SCATTERV -> own;
                default -> 0;
            };
            if (out.address() - in.address() != expected)
            {
                throw Calls.overlap(collective);
            }
        }
    }

    static void requireWritable(
        final String name, final MemorySegment segment, final long count, final DataType type)
    {
        requireReadable(name, segment, count, type);
        if (segment.isReadOnly())
        {
            throw new IllegalArgumentException(name + " is read-only: pass memory that can be written");
        }
    }

    static void requireReadable(
        final String name, final MemorySegment segment, final long count, final DataType type)
    {
        requireNonNull(segment, name);
        requireNonNull(type, "type");
        if (!segment.scope().isAlive())
        {
            throw new IllegalStateException(name + " has been freed: its arena is closed");
        }
        if (!segment.isAccessibleBy(Thread.currentThread()))
        {
            throw new IllegalArgumentException(name + " belongs to another thread than " +
                Thread.currentThread().getName() + ": call from that one, or allocate it in a shared arena");
        }
        if (count < 0)
        {
            throw new IllegalArgumentException("count=" + count + ": must be at least 0");
        }
        if (count > segment.byteSize() / type.size())
        {
            throw new IllegalArgumentException(name + " has " + segment.byteSize() + " bytes: too short for " +
                count + " × " + type + " (" + type.size() + " bytes each)");
        }
    }

    private Blocks ownBlocks(final String name, final long[] counts, final long count)
    {
        final Blocks blocks = checks.blocks(name, counts, null);
        if (blocks.length(rank()) != count)
        {
            throw new IllegalArgumentException(name + "[" + rank() + "]=" + blocks.length(rank()) + ", count=" + count +
                ": they must be the same on the root");
        }
        return blocks;
    }

    private Blocks uniform(final long count)
    {
        if (count < 0)
        {
            throw new IllegalArgumentException("count=" + count + ": must be at least 0");
        }
        return Blocks.uniform(session.mesh().size(), count);
    }

    private boolean isRoot(final int root)
    {
        return rank() == root;
    }

    private int rank()
    {
        return session.mesh().rank();
    }
}
