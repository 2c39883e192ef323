/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * The addresses of this rank's buffers in the current call: the caller's, and the round's half of SCRATCH. Not
 * thread-safe; allocates nothing after construction.
 */
final class CallMemory
{
    private static final int BUFFERS = BufferId.values().length;

    private final RegisteredBuffer scratch;
    private final long scratchHalf;
    /** By device, then by buffer. */
    private final int[] lkeys;
    private RegisteredBuffer input;
    private RegisteredBuffer output;
    private long inputAddress;
    private long outputAddress;
    private long scratchAddress;
    private long scratchOffset;

    CallMemory(final Team team)
    {
        scratch = team.scratch();
        scratchHalf = team.scratchHalf();
        lkeys = new int[BUFFERS * team.context().devices().size()];
    }

    /** Sets the buffers of the call that begins. */
    void set(final RegisteredBuffer callInput, final RegisteredBuffer callOutput, final long round)
    {
        input = callInput;
        output = callOutput;
        inputAddress = callInput.address();
        outputAddress = callOutput.address();
        scratchOffset = (round & 1) * scratchHalf;
        scratchAddress = scratch.address() + scratchOffset;
        for (int at = 0; at < lkeys.length; at += BUFFERS)
        {
            lkeys[at + BoundSchedule.INPUT] = callInput.lkey(at / BUFFERS);
            lkeys[at + BoundSchedule.OUTPUT] = callOutput.lkey(at / BUFFERS);
            lkeys[at + BoundSchedule.SCRATCH] = scratch.lkey(at / BUFFERS);
        }
    }

    long address(final int buffer)
    {
        return buffer == BoundSchedule.SCRATCH ? scratchAddress :
            buffer == BoundSchedule.OUTPUT ? outputAddress : inputAddress;
    }

    int lkey(final int deviceIndex, final int buffer)
    {
        return lkeys[deviceIndex * BUFFERS + buffer];
    }

    /** Returns the offset of the round's half of SCRATCH, the same on every rank. */
    long scratchOffset()
    {
        return scratchOffset;
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
