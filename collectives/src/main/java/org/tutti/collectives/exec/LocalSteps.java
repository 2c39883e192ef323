/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.reduce.Reducer;
import org.tutti.collectives.util.Memory;

/**
 * Executes COPY and REDUCE steps, within this rank's memory or from the mapped INPUT of a peer. Not thread-safe;
 * allocates nothing.
 */
final class LocalSteps
{
    private final CallMemory memory;
    private final PeerInputs peerInputs;
    private final int ranks;
    private Reducer reducer;

    LocalSteps(final CallMemory memory, final PeerInputs peerInputs, final int ranks)
    {
        this.memory = memory;
        this.peerInputs = peerInputs;
        this.ranks = ranks;
    }

    /** Sets the reducer of the call that begins; null if it reduces nothing. */
    void reducer(final Reducer ofCall)
    {
        reducer = ofCall;
    }

    /**
     * Executes a COPY or REDUCE.
     *
     * @param sequence number of the call.
     */
    void run(final BoundSchedule schedule, final int step, final long sequence)
    {
        final long destination =
            memory.address(schedule.destinations[step]) + schedule.destinationOffsets[step];
        final int peer = schedule.peers[step];
        final boolean copies = schedule.kinds[step] == BoundSchedule.COPY;
        final long offset = copies ? schedule.sourceOffsets[step] : schedule.secondSourceOffsets[step];
        final long operand = peer >= 0 ? peerInputs.address(sequence, peer, offset, schedule.lengths[step]) :
            memory.address(copies ? schedule.sources[step] : schedule.secondSources[step]) + offset;
        if (copies)
        {
            Memory.copy(operand, destination, schedule.lengths[step]);
        }
        else
        {
            reduce(schedule, step, operand, destination);
        }
        if (peer >= 0)
        {
            peerInputs.requireRead(sequence, peer);
        }
    }

    private void reduce(final BoundSchedule schedule, final int step, final long second, final long destination)
    {
        final long source = memory.address(schedule.sources[step]) + schedule.sourceOffsets[step];
        if (schedule.flags[step])
        {
            reducer.reduceAndFinish(source, second, destination, schedule.counts[step], ranks);
        }
        else
        {
            reducer.reduce(source, second, destination, schedule.counts[step]);
        }
    }
}
