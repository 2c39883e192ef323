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
 * One call of a collective, from the arguments of the API to its execution: the caller's arguments are set first,
 * {@link ArgumentChecks} checks them and sets the other fields, and the engine executes the plan for the call.
 * Represents blocking calls, requests, calls of a group and segments of staged calls.
 * <p>
 * Not thread-safe: the owner changes a call while holding the communicator's lock, or before publishing the call to
 * another thread. Reused; allocates nothing. References are stored only if they change, because each store of a
 * reference into an old object executes a write barrier of the garbage collector, which with G1 waits for earlier
 * stores.
 */
@SuppressWarnings("ReferenceEquality") // Compares references to skip stores.
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
    private boolean isPlanned;
    private boolean isDone;
    /** Whether a buffer is memory of the caller. */
    private boolean isOnUsersMemory;
    private boolean isStaged;

    /**
     * Resets this to a new call without arguments, with root 0. Fields that every call of the collective sets keep
     * their values, because the next call often has the same ones.
     */
    public CollectiveCall of(final Collective called)
    {
        if (collective != called)
        {
            collective = called;
            op = null;
        }
        root = 0;
        isUneven = false;
        isPlanned = false;
        isOnUsersMemory = false;
        isStaged = false;
        return staged(null, null);
    }

    /** Sets registered buffers, not checked yet; null where this rank has none. */
    public CollectiveCall buffers(final DataBuffer in, final DataBuffer out)
    {
        if (inputArgument != in || outputArgument != out)
        {
            inputArgument = in;
            outputArgument = out;
        }
        return this;
    }

    /** Sets unregistered memory with the same number of elements on all ranks; not checked yet. */
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
        if (op != reduction)
        {
            op = reduction;
        }
        return this;
    }

    /** Sets the root, not checked yet. */
    public CollectiveCall root(final int rank)
    {
        root = rank;
        return this;
    }

    /**
     * Sets the blocks of the only buffer that has blocks, or the blocks sent; not checked yet. Displacements are null
     * for contiguous blocks.
     */
    public CollectiveCall blocks(final long[] ofCounts, final long[] ofDisplacements)
    {
        isUneven = true;
        counts = ofCounts;
        displacements = ofDisplacements;
        return this;
    }

    /** Sets the blocks received, if they differ from those sent; not checked yet. */
    public CollectiveCall receives(final long[] ofCounts, final long[] ofDisplacements)
    {
        receiveCounts = ofCounts;
        receiveDisplacements = ofDisplacements;
        return this;
    }

    /**
     * Sets what all ranks have to agree on.
     *
     * @param elements number of elements of the buffers, of each block, or of this rank's block if no rank but the root
     *                 knows the others; 0 if all ranks know blocks of different lengths, or for alltoallv.
     * @param sent     blocks of the only buffer that has blocks, else of INPUT; null if the blocks have equal lengths,
     *                 or this rank does not know them.
     * @param ofOutput blocks of OUTPUT, if they differ from those of INPUT; else null.
     */
    public CollectiveCall shape(final DataType of, final long elements, final Blocks sent, final Blocks ofOutput)
    {
        count = elements;
        if (type != of || blocks != sent || received != ofOutput)
        {
            type = of;
            blocks = sent;
            received = ofOutput;
        }
        return this;
    }

    /**
     * Sets the blocks in which a call on unregistered memory is staged.
     *
     * @param in  blocks of the input; a single block if the input is not divided into blocks; null if there is no
     *            input.
     * @param out blocks of the output; a single block if the output is not divided into blocks; null if there is no
     *            output.
     */
    CollectiveCall staged(final Blocks in, final Blocks out)
    {
        if (inputBlocks != in || outputBlocks != out)
        {
            inputBlocks = in;
            outputBlocks = out;
        }
        return this;
    }

    /** Sets the checked registered buffers; both null if there are no elements. */
    public CollectiveCall checked(final PooledDataBuffer in, final PooledDataBuffer out)
    {
        if (input != in || output != out)
        {
            input = in;
            output = out;
        }
        return this;
    }

    /**
     * Sets the memory of the checked buffers, unless one of them is staged. A staged call has no memory of its own: its
     * data is copied in segments, or, after {@link #useCopies}, as a whole.
     */
    void memoryOfBuffers()
    {
        isOnUsersMemory = input.isUsers() || output.isUsers();
        isStaged = isOnUsersMemory && (input.isStaged() || output.isStaged());
        if (!isStaged)
        {
            memory(input.memory(), output.memory());
        }
    }

    /** Makes a staged call use registered copies of its buffers, which {@link CallMemory} updates. */
    public void useCopies()
    {
        if (isStaged)
        {
            memory(input.memory(), output.memory());
        }
    }

    /** Returns whether a buffer is memory of the caller that peers cannot access. */
    public boolean isStaged()
    {
        return isStaged;
    }

    /** Returns whether a buffer is memory of the caller, who may free it at any time. */
    boolean isOnUsersMemory()
    {
        return isOnUsersMemory;
    }

    /** As {@link #writes}, but false where OUTPUT keeps its content. */
    boolean writesOutput(final int rank)
    {
        return writes(rank) && (collective != Collective.EXSCAN || rank > 0);
    }

    /** Sets the memory of INPUT and OUTPUT. */
    public CollectiveCall memory(final RegisteredBuffer in, final RegisteredBuffer out)
    {
        if (inputMemory != in || outputMemory != out)
        {
            inputMemory = in;
            outputMemory = out;
        }
        return this;
    }

    /** Sets the plan of the call. */
    public CollectiveCall plan(final Plan found)
    {
        if (plan != found)
        {
            plan = found;
        }
        isPlanned = true;
        return this;
    }

    /** Sets whether the call is done, once it has begun. */
    void done(final boolean isNow)
    {
        isDone = isNow;
    }

    /** Drops references to the caller's objects. */
    public void clear()
    {
        of(null).buffers(null, null).segments(null, null, 0, null).receives(null, null);
        shape(null, 0, null, null);
        plan = null;
        checked(null, null).memory(null, null);
        counts = null;
        displacements = null;
    }

    public Collective collective()
    {
        return collective;
    }

    /** Returns the type of the elements; null for a barrier. */
    public DataType type()
    {
        return type;
    }

    /** Returns the reduction operation; null if nothing is reduced. */
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

    /** Returns the blocks of the only buffer that has blocks, else of INPUT, as set by {@link #shape}. */
    public Blocks blocks()
    {
        return blocks;
    }

    /** Returns the blocks of OUTPUT, if they differ from those of INPUT, as set by {@link #shape}; else null. */
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

    /** Returns whether the caller passes counts. */
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

    /** Returns the blocks of the input, as set by {@link #staged}. */
    public Blocks inputBlocks()
    {
        return inputBlocks;
    }

    /** Returns the blocks of the output, as set by {@link #staged}. */
    public Blocks outputBlocks()
    {
        return outputBlocks;
    }

    /** Returns whether elements are staged in blocks, rather than as a whole. */
    public boolean hasBlocks()
    {
        return inputBlocks != null || outputBlocks != null;
    }

    /** Returns the checked input buffer; null if there are no elements. */
    public PooledDataBuffer input()
    {
        return input;
    }

    /** Returns the checked output buffer; null if there are no elements. */
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

    /** Returns whether the plan is set. */
    public boolean isPlanned()
    {
        return isPlanned;
    }

    /** Returns the plan. Requires {@link #isPlanned}. */
    public Plan plan()
    {
        return plan;
    }

    /** Returns whether the call, which has begun, is done. */
    public boolean isDone()
    {
        return isDone;
    }

    /** Returns the length in bytes of {@link #count} elements. */
    public long length()
    {
        return count * type.size();
    }

    /**
     * Returns whether the longest buffer of the call exceeds a length; false if not all ranks know that.
     *
     * @param limit length in bytes.
     * @param ranks number of ranks.
     */
    public boolean isLongerThan(final long limit, final int ranks)
    {
        if (type == null || collective.hasLocalCounts())
        {
            return false;
        }
        final long elements = blocks != null ? blocks.total() : collective.hasBlocks() ? ranks * count : count;
        return elements > limit / type.size();
    }

    /** Returns whether a rank's INPUT is read. */
    public boolean reads(final int rank)
    {
        return switch (collective)
        {
            case BROADCAST, SCATTER, SCATTERV -> rank == root;
            default -> true;
        };
    }

    /** Returns whether a rank's OUTPUT is written. */
    public boolean writes(final int rank)
    {
        return switch (collective)
        {
            case BROADCAST -> rank != root;
            case REDUCE, GATHER, GATHERV -> rank == root;
            default -> true;
        };
    }

    /** Returns whether both calls differ at most in counts and buffers. */
    public boolean differsInCountOnly(final CollectiveCall other)
    {
        return collective == other.collective && type.equals(other.type) && Objects.equals(op, other.op) &&
            root == other.root;
    }

    /**
     * Returns whether INPUT and OUTPUT start at the same address, or one starts at this rank's block of the other.
     *
     * @param rank rank of this process.
     */
    boolean isInPlace(final int rank)
    {
        return isInPlace(rank, inputMemory.address(), outputMemory.address());
    }

    /** As {@link #isInPlace(int)}, for buffers at the given addresses. */
    boolean isInPlace(final int rank, final long inputAddress, final long outputAddress)
    {
        final long own = type == null ? 0 : type.size() * (blocks == null ? rank * count : blocks.offset(rank));
        final long inputAt = collective.gathers() ? own : 0;
        final long outputAt = collective.scatters() ? own : 0;
        return inputAddress + outputAt == outputAddress + inputAt;
    }
}
