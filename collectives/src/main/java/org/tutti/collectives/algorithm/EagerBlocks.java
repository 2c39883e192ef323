/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Messages that ranks send eagerly, without waiting for the receiver: a short block, or only the length of a longer
 * one. The receiver compares the length with the one that it expects, so that it detects mismatched counts if each rank
 * knows only its own blocks. Whether a block is short depends on its length alone, so two ranks that agree on the
 * length also agree on whether the block is short.
 */
final class EagerBlocks
{
    private final ScheduleBuilder steps;
    private final ScheduleRequest request;
    private final long slot;
    private final long begin;

    /**
     * Reserves SCRATCH for a short block of each rank.
     *
     * @param steps      builder to add steps to.
     * @param request    request of the rank.
     * @param collective collective that the blocks belong to; if all ranks know all blocks and one is too long, no rank
     *                   sends any block eagerly.
     * @param begin      offset of the blocks in SCRATCH, the same on all ranks.
     */
    EagerBlocks(
        final ScheduleBuilder steps, final ScheduleRequest request, final Collective collective, final long begin)
    {
        this.steps = steps;
        this.request = request;
        this.begin = begin;
        final long most = Math.min(request.eager(), request.segment());
        slot = collective.hasLocalCounts() ? most : request.count() <= most ? request.count() : 0;
        steps.scratch(request.size() == 1 ? 0 : begin + request.size() * slot).eagerFrom(begin);
    }

    /** Whether a block of this length is sent eagerly as a whole. */
    boolean isAll(final long length)
    {
        return areSent() && length <= slot;
    }

    private boolean areSent()
    {
        return slot > 0;
    }

    /**
     * Sends a block, or its length, before the rank waits for anything.
     *
     * @param peer   receiver.
     * @param offset offset of the block in INPUT.
     * @param length length of the block in elements, from 0.
     * @return the step, or -1 if no blocks are sent eagerly.
     */
    int send(final int peer, final long offset, final long length)
    {
        if (!areSent())
        {
            return -1;
        }
        return length == 0 || !isAll(length) ? steps.announce(peer, Channels.EAGER, length) :
            steps.put(peer, Channels.EAGER, INPUT.at(offset), SCRATCH.at(place(request.rank())), length);
    }

    /**
     * Waits for a block, or its length, and copies a block to OUTPUT. A rank does so before it waits for anything else
     * from this peer, so that a mismatch of lengths is detected here.
     *
     * @param peer   sender.
     * @param offset offset of the block in OUTPUT.
     * @param length expected length of the block in elements, from 0.
     * @param after  step that must be done before OUTPUT is written, or -1.
     */
    void receive(final int peer, final long offset, final long length, final int after)
    {
        if (areSent())
        {
            final int arrived = steps.awaitBlock(peer, Channels.EAGER, length);
            if (length > 0 && isAll(length))
            {
                steps.copy(SCRATCH.at(place(peer)), OUTPUT.at(offset), length, arrived, after);
            }
        }
    }

    private long place(final int sender)
    {
        return begin + sender * slot;
    }
}
