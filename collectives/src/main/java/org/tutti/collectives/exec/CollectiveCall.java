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
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * One call of a collective, from the arguments of the API to what is executed: the caller's arguments are set first,
 * {@link ArgumentChecks} checks them and settles the rest, and the engine executes the plan that they lead to. A
 * blocking call, a request, a call of a group and a segment of a staged call are all this object.
 * <p>
 * Not thread-safe: the owner sets it while it holds the communicator's lock, or before another thread sees it. Reused;
 * allocates nothing.
 */
public final class CollectiveCall
{
    private Collective collective;
    private DataType type;
    private ReduceOp op;
    private long count;
    private int root;
    private Blocks blocks;
    private Blocks received;

    private DataBuffer inputArgument;
    private DataBuffer outputArgument;
    private MemorySegment inputSegment;
    private MemorySegment outputSegment;
    private boolean isUneven;
    private long[] counts;
    private long[] displacements;
    private long[] receiveCounts;
    private long[] receiveDisplacements;

    private Blocks inputBlocks;
    private Blocks outputBlocks;

    private PooledDataBuffer input;
    private PooledDataBuffer output;
    private RegisteredBuffer inputMemory;
    private RegisteredBuffer outputMemory;
    private Plan plan;

    /** Begins another call, of no arguments and root 0. */
    public CollectiveCall of(final Collective called)
    {
        collective = called;
        type = null;
        op = null;
        count = 0;
        root = 0;
        blocks = null;
        received = null;
        isUneven = false;
        inputBlocks = null;
        outputBlocks = null;
        plan = null;
        return this;
    }

    /** Sets registered buffers, not checked yet; either may be null where this rank has none. */
    public CollectiveCall buffers(final DataBuffer in, final DataBuffer out)
    {
        inputArgument = in;
        outputArgument = out;
        return this;
    }

    /** Sets other memory, of the same count of elements on all ranks; not checked yet. */
    public CollectiveCall segments(
        final MemorySegment in, final MemorySegment out, final long elements, final DataType of)
    {
        inputSegment = in;
        outputSegment = out;
        count = elements;
        type = of;
        return this;
    }

    /** Sets the operation of a reduction, not checked yet. */
    public CollectiveCall op(final ReduceOp reduction)
    {
        op = reduction;
        return this;
    }

    /** Sets the root, not checked yet. */
    public CollectiveCall root(final int rank)
    {
        root = rank;
        return this;
    }

    /** Sets the blocks of one buffer, or of those sent, not checked yet; no displacements for contiguous ones. */
    public CollectiveCall blocks(final long[] ofCounts, final long[] ofDisplacements)
    {
        isUneven = true;
        counts = ofCounts;
        displacements = ofDisplacements;
        return this;
    }

    /** Sets the blocks received, where they differ from those sent; not checked yet. */
    public CollectiveCall receives(final long[] ofCounts, final long[] ofDisplacements)
    {
        receiveCounts = ofCounts;
        receiveDisplacements = ofDisplacements;
        return this;
    }

    /**
     * Settles what all ranks have to agree on.
     *
     * @param elements number of elements of the buffers, of a block, or of this rank; else 0.
     * @param sent     the blocks of one buffer, or of INPUT; null if they have one length, or this rank does not know
     *                 them.
     * @param ofOutput the blocks of OUTPUT, if both buffers have other ones; else null.
     */
    public CollectiveCall shape(final DataType of, final long elements, final Blocks sent, final Blocks ofOutput)
    {
        type = of;
        count = elements;
        blocks = sent;
        received = ofOutput;
        return this;
    }

    /**
     * Settles how elements lie that are staged in blocks.
     *
     * @param in  one of all elements where the input has no blocks; null where there is no input.
     * @param out one of all elements where the output has no blocks; null where there is no output.
     */
    CollectiveCall staged(final Blocks in, final Blocks out)
    {
        inputBlocks = in;
        outputBlocks = out;
        return this;
    }

    /** Settles the registered buffers; null, both, if there are no elements. */
    public CollectiveCall checked(final PooledDataBuffer in, final PooledDataBuffer out)
    {
        input = in;
        output = out;
        return this;
    }

    /** Settles where INPUT and OUTPUT are. */
    public CollectiveCall memory(final RegisteredBuffer in, final RegisteredBuffer out)
    {
        inputMemory = in;
        outputMemory = out;
        return this;
    }

    /** Settles how the call is executed. */
    public CollectiveCall plan(final Plan found)
    {
        plan = found;
        return this;
    }

    /** Forgets the caller's objects. */
    public void clear()
    {
        of(null).buffers(null, null).segments(null, null, 0, null).receives(null, null);
        checked(null, null).memory(null, null);
        counts = null;
        displacements = null;
    }

    public Collective collective()
    {
        return collective;
    }

    /** Of the elements; null in a barrier. */
    public DataType type()
    {
        return type;
    }

    /** Null where nothing is reduced. */
    public ReduceOp op()
    {
        return op;
    }

    public long count()
    {
        return count;
    }

    public int root()
    {
        return root;
    }

    /** As {@link #shape} has settled them. */
    public Blocks blocks()
    {
        return blocks;
    }

    /** As {@link #shape} has settled them. */
    Blocks received()
    {
        return received;
    }

    DataBuffer inputArgument()
    {
        return inputArgument;
    }

    DataBuffer outputArgument()
    {
        return outputArgument;
    }

    public MemorySegment inputSegment()
    {
        return inputSegment;
    }

    public MemorySegment outputSegment()
    {
        return outputSegment;
    }

    /** Whether the caller passes counts. */
    boolean isUneven()
    {
        return isUneven;
    }

    long[] counts()
    {
        return counts;
    }

    long[] displacements()
    {
        return displacements;
    }

    long[] receiveCounts()
    {
        return receiveCounts;
    }

    long[] receiveDisplacements()
    {
        return receiveDisplacements;
    }

    /** As {@link #staged} has settled them. */
    public Blocks inputBlocks()
    {
        return inputBlocks;
    }

    /** As {@link #staged} has settled them. */
    public Blocks outputBlocks()
    {
        return outputBlocks;
    }

    /** Whether elements are staged in blocks, rather than as a whole. */
    public boolean hasBlocks()
    {
        return inputBlocks != null || outputBlocks != null;
    }

    /** Null if there are no elements. */
    public PooledDataBuffer input()
    {
        return input;
    }

    /** Null if there are no elements. */
    public PooledDataBuffer output()
    {
        return output;
    }

    RegisteredBuffer inputMemory()
    {
        return inputMemory;
    }

    public RegisteredBuffer outputMemory()
    {
        return outputMemory;
    }

    /** Null while none was found. */
    public Plan plan()
    {
        return plan;
    }

    /** In bytes, of a call whose buffers have {@link #count} elements. */
    public long length()
    {
        return count * type.size();
    }

    /** Whether a rank's INPUT is read. */
    public boolean reads(final int rank)
    {
        return collective != Collective.BROADCAST || rank == root;
    }

    /** Whether a rank's OUTPUT is written. */
    public boolean writes(final int rank)
    {
        return collective != Collective.BROADCAST || rank != root;
    }

    /** Whether both are the same but for their counts and buffers. */
    public boolean differsInCountOnly(final CollectiveCall other)
    {
        return collective == other.collective && type.equals(other.type) && Objects.equals(op, other.op) &&
            root == other.root;
    }

    /**
     * Whether INPUT and OUTPUT begin at the same place, or, where one is a block, at this rank's block of the other.
     *
     * @param rank rank of this process.
     */
    boolean isInPlace(final int rank)
    {
        final long own = type == null ? 0 : type.size() * (blocks == null ? rank * count : blocks.offset(rank));
        final long inputAt = collective.gathers() ? own : 0;
        final long outputAt = collective.scatters() ? own : 0;
        return inputMemory.address() + outputAt == outputMemory.address() + inputAt;
    }
}
