/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.DataType;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.util.Memory;
import org.tutti.collectives.wireup.Team;

import java.lang.foreign.MemorySegment;

import static java.util.Objects.requireNonNull;

/**
 * Checks the arguments of calls on unregistered memory, and determines what ranks have to agree on and the layout of
 * this rank's blocks.
 */
public final class SegmentChecks
{
    private static final long NONE = -1;

    private final Team team;
    private final ArgumentChecks checks;

    public SegmentChecks(final Team team, final ArgumentChecks checks)
    {
        this.team = team;
        this.checks = checks;
    }

    /**
     * Checks the arguments of a call, and sets the fields that depend on them.
     *
     * @throws IllegalArgumentException if an argument is invalid; nothing has been done, and no other rank is affected.
     * @throws IllegalStateException    if memory has been freed.
     */
    public void settle(final CollectiveCall call)
    {
        final Collective collective = call.collective();
        if (collective.reduces())
        {
            ArgumentChecks.requireOp(collective, call.type(), call.op());
        }
        checks.requireRoot(call.root());
        if (collective == Collective.BROADCAST)
        {
            broadcast(call);
        }
        else if (!collective.hasBlocks())
        {
            buffers(call);
        }
        else if (!collective.hasLocalCounts())
        {
            final Blocks blocks = call.isUneven() ? checks.blocks("counts", call.counts(), null) :
                uniform(call.count());
            settleBlocks(call, blocks, collective.exchanges() ? blocks : null);
        }
        else if (collective.exchanges())
        {
            final Blocks sent = checks.blocks("sendCounts", call.counts(), null);
            final Blocks received = checks.blocks("receiveCounts", call.receiveCounts(), null);
            checks.requireOwnCount(sent.length(rank()), received.length(rank()));
            settleBlocks(call, sent, received);
        }
        else
        {
            settleBlocks(call, isRoot(call) ? ownBlocks(call) : null, null);
        }
    }

    private void broadcast(final CollectiveCall call)
    {
        final MemorySegment buffer = call.inputSegment();
        if (isRoot(call))
        {
            requireReadable("buffer", buffer, call.count(), call.type());
            call.segments(buffer, null, call.count(), call.type());
        }
        else
        {
            requireWritable("buffer", buffer, call.count(), call.type());
            call.segments(null, buffer, call.count(), call.type());
        }
    }

    /**
     * Checks a call whose input and output have the same length. Rooted collectives have an output on the root only.
     */
    private void buffers(final CollectiveCall call)
    {
        final boolean hasOutput = !call.collective().hasRoot() || isRoot(call);
        requireMemory(call, call.count(), hasOutput ? call.count() : NONE, 0);
        call.segments(call.inputSegment(), call.writesOutput(rank()) ? call.outputSegment() : null, call.count(),
            call.type());
    }

    /**
     * Checks the buffers of a call with blocks, and sets its shape.
     *
     * @param blocks   blocks of the call, even if they have equal lengths; null if this rank does not know them.
     * @param received blocks of the output, if both buffers have blocks.
     */
    private void settleBlocks(final CollectiveCall call, final Blocks blocks, final Blocks received)
    {
        setBlocks(call, blocks, received, rank());
        final Blocks in = call.inputBlocks();
        final Blocks out = call.outputBlocks();
        requireMemory(call, in == null ? NONE : in.total(), out == null ? NONE : out.total(),
            blocks == null ? 0 : blocks.offset(rank()));
    }

    private static void setBlocks(
        final CollectiveCall call, final Blocks blocks, final Blocks received, final int rank)
    {
        final long ownCount = blocks == null ? call.count() : blocks.length(rank);
        final Collective collective = call.collective();
        final Blocks whole = collective.hasRoot() && rank != call.root() ? null : blocks;
        final Blocks in = collective.gathers() ? Blocks.of(ownCount) : whole;
        final Blocks out = collective.gathers() ? whole : collective.scatters() ? Blocks.of(ownCount) : received;
        call.shape(call.type(), call.count(), blocks, received).staged(in, out);
    }

    /**
     * Turns a checked call on buffers into a call on the same memory, as if that memory were not registered.
     *
     * @param rank  rank of this process.
     * @param ranks number of ranks.
     */
    public static void unregister(final CollectiveCall call, final int rank, final int ranks)
    {
        call.segments(call.reads(rank) ? call.input().segment() : null,
            call.writesOutput(rank) ? call.output().segment() : null, call.count(), call.type());
        if (call.collective().hasLocalCounts())
        {
            setBlocks(call, call.blocks(), call.received(), rank);
        }
        else if (call.collective().hasBlocks())
        {
            final Blocks blocks = call.blocks() == null ? Blocks.uniform(ranks, call.count()) : call.blocks();
            setBlocks(call, blocks, call.collective().exchanges() ? blocks : null, rank);
        }
    }

    /**
     * Checks both buffers.
     *
     * @param inCount  number of input elements, or {@link #NONE} if there is no input.
     * @param outCount number of output elements, or {@link #NONE} if there is no output.
     * @param start    start of this rank's block in the buffer that has blocks, in elements.
     */
    private static void requireMemory(
        final CollectiveCall call, final long inCount, final long outCount, final long start)
    {
        final DataType type = call.type();
        if (inCount != NONE)
        {
            requireReadable("input", call.inputSegment(), inCount, type);
        }
        if (outCount != NONE)
        {
            requireWritable("output", call.outputSegment(), outCount, type);
        }
        if (inCount == NONE || outCount == NONE)
        {
            return;
        }
        final MemorySegment in = call.inputSegment().asSlice(0, inCount * type.size());
        final MemorySegment out = call.outputSegment().asSlice(0, outCount * type.size());
        if (in.asOverlappingSlice(out).isPresent())
        {
            final long own = start * type.size();
            final long expected = call.collective().gathers() ? -own : call.collective().scatters() ? own : 0;
            if (out.address() - in.address() != expected)
            {
                throw ArgumentChecks.overlap(call.collective());
            }
        }
    }

    /** As {@link #requireReadable}, for memory that is written. */
    public static void requireWritable(
        final String name, final MemorySegment segment, final long count, final DataType type)
    {
        requireReadable(name, segment, count, type);
        if (segment.isReadOnly())
        {
            throw new IllegalArgumentException(name + " is read-only: pass writable memory");
        }
    }

    /**
     * Requires memory that is alive, accessible to this thread, and long enough.
     *
     * @param name  name of the argument.
     * @param count minimum number of elements.
     */
    public static void requireReadable(
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
            throw new IllegalArgumentException(name + " is confined to a thread other than " +
                Thread.currentThread().getName() + ": call from its owner thread, or allocate it in a shared arena");
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

    /** Requires memory that can be registered: native, writable, alive and accessible to all threads. */
    public static void requireRegistrable(final MemorySegment segment, final DataType type)
    {
        requireNonNull(segment, "segment");
        if (!segment.isNative())
        {
            throw new IllegalArgumentException("segment is on the Java heap, which the garbage collector moves: " +
                "allocate it off-heap, or pass it to the calls on segments and arrays");
        }
        if (!segment.scope().isAlive())
        {
            throw new IllegalStateException("segment has been freed: its arena is closed");
        }
        if (Memory.isConfined(segment))
        {
            throw new IllegalArgumentException("segment is confined to a thread: allocate it in a shared arena, " +
                "because any thread may progress calls");
        }
        if (segment.isReadOnly())
        {
            throw new IllegalArgumentException("segment is read-only: pass writable memory");
        }
        if (segment.byteSize() % type.size() != 0)
        {
            throw new IllegalArgumentException("segment has " + segment.byteSize() + " bytes: must be a multiple of " +
                type.size() + ", the size of " + type);
        }
    }

    private Blocks ownBlocks(final CollectiveCall call)
    {
        final Blocks blocks = checks.blocks("counts", call.counts(), null);
        if (blocks.length(rank()) != call.count())
        {
            throw new IllegalArgumentException("counts[" + rank() + "] and count differ on the root: " +
                blocks.length(rank()) + " != " + call.count());
        }
        return blocks;
    }

    private Blocks uniform(final long count)
    {
        if (count < 0)
        {
            throw new IllegalArgumentException("count=" + count + ": must be at least 0");
        }
        return Blocks.uniform(team.size(), count);
    }

    private boolean isRoot(final CollectiveCall call)
    {
        return rank() == call.root();
    }

    private int rank()
    {
        return team.rank();
    }
}
