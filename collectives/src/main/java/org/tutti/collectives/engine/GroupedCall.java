/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.schedule.Collective;

import java.util.Objects;

/** A call that was checked and is yet to be made. Used again and again. */
final class GroupedCall
{
    private Collective collective;
    private DataType type;
    private ReduceOp op;
    private long count;
    private int root;
    private Blocks blocks;
    private Blocks received;
    private PooledDataBuffer input;
    private PooledDataBuffer output;

    /** The arguments are those of {@link Calls#make}. */
    @SuppressWarnings("checkstyle:ParameterNumber")
    void set(
        final Collective ofCollective, final DataType ofType, final ReduceOp ofOp, final long ofCount,
        final int ofRoot, final Blocks ofBlocks, final Blocks toReceive,
        final PooledDataBuffer in, final PooledDataBuffer out)
    {
        collective = ofCollective;
        type = ofType;
        op = ofOp;
        count = ofCount;
        root = ofRoot;
        blocks = ofBlocks;
        received = toReceive;
        input = in;
        output = out;
    }

    /** Lets go of the buffers. */
    void clear()
    {
        set(null, null, null, 0, 0, null, null, null, null);
    }

    Collective collective()
    {
        return collective;
    }

    DataType type()
    {
        return type;
    }

    ReduceOp op()
    {
        return op;
    }

    long count()
    {
        return count;
    }

    int root()
    {
        return root;
    }

    Blocks blocks()
    {
        return blocks;
    }

    Blocks received()
    {
        return received;
    }

    /** Null if there are no elements. */
    PooledDataBuffer input()
    {
        return input;
    }

    /** Null if there are no elements. */
    PooledDataBuffer output()
    {
        return output;
    }

    /** In bytes, of a call whose buffers have count elements. */
    long length()
    {
        return count * type.size();
    }

    /** Whether this rank's input is read. */
    boolean reads(final int rank)
    {
        return collective != Collective.BROADCAST || rank == root;
    }

    /** Whether this rank's output is written. */
    boolean writes(final int rank)
    {
        return collective != Collective.BROADCAST || rank != root;
    }

    /** Whether both are the same but for their counts and buffers. */
    boolean isKin(final GroupedCall other)
    {
        return collective == other.collective && type.equals(other.type) && Objects.equals(op, other.op) &&
            root == other.root;
    }
}
