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
 * Blocks that ranks send each other before they hear from each other: a short block itself, of a long one its length,
 * so that the receiver finds out whether that is what it expects where each rank knows its own blocks only. Two ranks
 * that agree on a length agree on whether the block is short.
 */
final class EagerBlocks
{
    private final ScheduleBuilder steps;
    private final ScheduleRequest request;
    private final long slot;
    private final long begin;

    /**
     * Takes SCRATCH for a short block of each rank.
     *
     * @param steps      gets the steps.
     * @param request    request of the rank.
     * @param collective the collective whose blocks they are: if all ranks know all of them, and one is longer, no rank
     *                   sends any.
     * @param begin      number of elements of SCRATCH used for something else, the same on all ranks.
     */
    EagerBlocks(
        final ScheduleBuilder steps, final ScheduleRequest request, final Collective collective, final long begin)
    {
        this.steps = steps;
        this.request = request;
        this.begin = begin;
        final long most = Math.min(request.eager(), request.segment());
        slot = collective.hasOwnBlocks() ? most : request.count() <= most ? request.count() : 0;
        steps.scratch(request.size() == 1 ? 0 : begin + request.size() * slot);
    }

    /** Whether a block of this length is sent eagerly, as a whole. */
    boolean isAll(final long length)
    {
        return areSent() && length <= slot;
    }

    private boolean areSent()
    {
        return slot > 0;
    }

    /**
     * Sends the block, or tells how long it is, before the rank waits for anything.
     *
     * @param peer   the peer that receives it.
     * @param offset offset of the block in INPUT.
     * @param length length, from 0.
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
     * Waits for it, and puts the block where it belongs if that came. A rank does so before it waits for anything else
     * of this peer: if the two disagree, it is here that it is found out.
     *
     * @param peer   the peer that sends it.
     * @param offset offset of the block in OUTPUT.
     * @param length required length, from 0.
     * @param after  a step that must be done before OUTPUT is written, or -1.
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
