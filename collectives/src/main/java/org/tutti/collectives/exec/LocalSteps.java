/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.util.Memory;

/**
 * Executes COPY and REDUCE steps, within this rank's memory or from the mapped INPUT of a peer. Not thread-safe;
 * allocates nothing.
 */
final class LocalSteps
{
    private final PeerInputs peerInputs;
    private final int ranks;

    LocalSteps(final PeerInputs peerInputs, final int ranks)
    {
        this.peerInputs = peerInputs;
        this.ranks = ranks;
    }

    /** Executes a COPY or REDUCE. */
    void run(final CallInProgress call, final int step)
    {
        final BoundSchedule schedule = call.schedule;
        final CallMemory memory = call.memory;
        final long destination =
            memory.address(schedule.destinations[step]) + schedule.destinationOffsets[step];
        final int peer = schedule.peers[step];
        final boolean copies = schedule.kinds[step] == BoundSchedule.COPY;
        final long offset = copies ? schedule.sourceOffsets[step] : schedule.secondSourceOffsets[step];
        final long operand = peer >= 0 ? peerInputs.address(call, peer, offset, schedule.lengths[step]) :
            memory.address(copies ? schedule.sources[step] : schedule.secondSources[step]) + offset;
        if (copies)
        {
            Memory.copy(operand, destination, schedule.lengths[step]);
        }
        else
        {
            reduce(call, step, operand, destination);
        }
        if (peer >= 0)
        {
            peerInputs.requireRead(call.sequence, peer);
        }
    }

    private void reduce(final CallInProgress call, final int step, final long second, final long destination)
    {
        final BoundSchedule schedule = call.schedule;
        final long source = call.memory.address(schedule.sources[step]) + schedule.sourceOffsets[step];
        if (schedule.flags[step])
        {
            call.reducer.reduceAndFinish(source, second, destination, schedule.counts[step], ranks);
        }
        else
        {
            call.reducer.reduce(source, second, destination, schedule.counts[step]);
        }
    }
}
