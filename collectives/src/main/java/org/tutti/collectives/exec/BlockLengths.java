/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.endpoint.ControlBlock;
import org.tutti.collectives.fault.Diagnosis;

/**
 * Compares the length of a block that a peer announces with the length that this rank expects: only these two ranks
 * know it. Not thread-safe; allocates nothing.
 */
final class BlockLengths
{
    private final ControlBlock control;
    private final ArrivalCounters arrivals;
    private final Diagnosis diagnosis;

    BlockLengths(final ControlBlock control, final ArrivalCounters arrivals, final Diagnosis diagnosis)
    {
        this.control = control;
        this.arrivals = arrivals;
        this.diagnosis = diagnosis;
    }

    /** Throws if the message taken by a WAIT announces another length than this rank expects. */
    void require(final CallInProgress call, final int step)
    {
        final BoundSchedule schedule = call.schedule;
        final int peer = schedule.peers[step];
        final long own = schedule.lengths[step];
        if (schedule.ofBlocks[step])
        {
            final long length = arrivals.length(call.round, peer);
            if (length != own)
            {
                throw diagnosis.otherBlock(call.sequence, peer, length, own);
            }
            return;
        }
        final long exposed = control.exposedLength(peer, call.memory.slot());
        if (exposed != own)
        {
            throw diagnosis.otherLength(call.sequence, peer, own, exposed);
        }
    }
}
