/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.wireup.ScratchLayout;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * The addresses of this rank's buffers in a call: the caller's, and the call's part of SCRATCH. Not thread-safe;
 * allocates nothing after construction.
 */
final class CallMemory
{
    private static final int BUFFERS = BoundSchedule.BUFFERS;

    private final RegisteredBuffer scratch;
    private final ScratchLayout layout;
    private final long[] addresses = new long[BUFFERS];
    /** Local keys, by device and then by buffer. */
    private final int[] lkeys;
    private final int rank;
    private RegisteredBuffer input;
    private RegisteredBuffer output;
    private int slot;

    CallMemory(final Team team)
    {
        rank = team.rank();
        scratch = team.memory().scratch();
        layout = team.memory().scratchLayout();
        lkeys = new int[BUFFERS * team.context().devices().size()];
        for (int at = 0; at < lkeys.length; at += BUFFERS)
        {
            lkeys[at + BoundSchedule.SCRATCH] = scratch.lkey(at / BUFFERS);
            lkeys[at + BoundSchedule.EAGER] = scratch.lkey(at / BUFFERS);
        }
    }

    /**
     * Sets the buffers of the call that begins.
     *
     * @param round round of the call.
     * @param half  number of the call among those that need a half of SCRATCH; -1 if this call needs none.
     * @param eager offset of the eager part of SCRATCH, if the call needs no half.
     */
    @SuppressWarnings("ReferenceEquality") // Compares references to skip stores: see CollectiveCall.
    void set(
        final RegisteredBuffer callInput, final RegisteredBuffer callOutput, final long round, final long half,
        final long eager)
    {
        if (input != callInput || output != callOutput)
        {
            use(callInput, callOutput);
        }
        slot = layout.index(round);
        final long ofSlot = scratch.address() + layout.slot(round);
        addresses[BoundSchedule.SCRATCH] = half < 0 ? ofSlot : scratch.address() + layout.half(half);
        addresses[BoundSchedule.EAGER] = half < 0 ? ofSlot + eager : ofSlot;
    }

    /**
     * Updates the registered copies of staged buffers before a call begins.
     *
     * @throws IllegalStateException if the caller has freed memory that the call uses.
     */
    void copyIn(final CollectiveCall call)
    {
        call.input().requireAlive();
        call.output().requireAlive();
        if (call.reads(rank))
        {
            call.input().copyIn();
        }
        if (call.isStaged() && call.isUneven() && call.writesOutput(rank))
        {
            // Elements that are in no block keep their values.
            call.output().copyIn();
        }
    }

    /**
     * Copies the output of a call that is done out of the registered copy, if it is staged.
     *
     * @throws IllegalStateException if the caller has freed memory that the call used.
     */
    void copyOut(final CollectiveCall call)
    {
        if (call.writesOutput(rank))
        {
            call.output().copyOut();
        }
        call.input().requireAlive();
        call.output().requireAlive();
    }

    private void use(final RegisteredBuffer callInput, final RegisteredBuffer callOutput)
    {
        input = callInput;
        output = callOutput;
        addresses[BoundSchedule.INPUT] = callInput.address();
        addresses[BoundSchedule.OUTPUT] = callOutput.address();
        for (int at = 0; at < lkeys.length; at += BUFFERS)
        {
            lkeys[at + BoundSchedule.INPUT] = callInput.lkey(at / BUFFERS);
            lkeys[at + BoundSchedule.OUTPUT] = callOutput.lkey(at / BUFFERS);
        }
    }

    long address(final int buffer)
    {
        return addresses[buffer];
    }

    int lkey(final int deviceIndex, final int buffer)
    {
        return lkeys[deviceIndex * BUFFERS + buffer];
    }

    /**
     * Returns the offset of the buffer SCRATCH or EAGER of this call in a rank's SCRATCH memory: the same on every
     * rank.
     */
    long scratchOffset(final int buffer)
    {
        return addresses[buffer] - scratch.address();
    }

    /** Returns the index of the round's slot. */
    int slot()
    {
        return slot;
    }

    RegisteredBuffer input()
    {
        return input;
    }

    RegisteredBuffer output()
    {
        return output;
    }
}
