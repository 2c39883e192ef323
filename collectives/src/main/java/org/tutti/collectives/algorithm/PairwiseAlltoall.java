/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Alltoall for large data, or where each rank knows only its own blocks: in each of {@code n} steps a rank exchanges
 * blocks with one partner, directly to OUTPUT; in one of them it has no partner. Each block is sent once, the minimum.
 * Two ranks are partners in the step that is the sum of their numbers modulo {@code n}, for any {@code n}. Each exposes
 * to its partner the part of OUTPUT for the block, with the expected length. In place, a segment is copied to SCRATCH
 * before the partner may overwrite it. Credits limit how many segments a rank is ahead of its partner; in place, a
 * partner gives a credit only when it has copied the segment that will be overwritten. Blocks of up to eager elements
 * are sent first, all at once, without waiting for the partner; the length of a longer one is announced. SCRATCH:
 * {@code window * segment} elements, used only in place, plus {@code n * min(eager, segment)}.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521.
 *
 * @param collective ALLTOALL or ALLTOALLV.
 */
record PairwiseAlltoall(Collective collective) implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (!collective.isEmpty(request))
        {
            // If each rank knows only its own blocks, all ranks reserve as much SCRATCH as the longest possible block
            // needs.
            final long slot =
                collective.hasLocalCounts() ? request.segment() : Math.min(request.segment(), request.count());
            new Writer(steps, request, collective, slot).write();
            OwnBlock.keep(steps, request);
        }
        return steps.build();
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final ScheduleRequest request;
        private final long slot;
        private final int window;
        private final int[] putFrom;
        private final EagerBlocks eager;
        private final int[] eagerSent;

        Writer(
            final ScheduleBuilder steps, final ScheduleRequest request, final Collective collective, final long slot)
        {
            this.steps = steps;
            this.request = request;
            this.slot = slot;
            window = request.window();
            putFrom = new int[window];
            Arrays.fill(putFrom, -1);
            eager = new EagerBlocks(steps, request, collective, window * slot);
            eagerSent = new int[request.size()];
        }

        void write()
        {
            for (int step = 0; step < request.size(); step++)
            {
                final int peer = partner(step);
                if (peer != request.rank())
                {
                    eagerSent[peer] =
                        eager.send(peer, request.blocks().offset(peer), request.blocks().length(peer));
                    if (!request.inPlace() && !eager.isAll(request.received().length(peer)))
                    {
                        expose(peer, new StepList());
                    }
                }
            }
            for (int step = 0; step < request.size(); step++)
            {
                if (partner(step) != request.rank())
                {
                    exchange(partner(step));
                }
            }
        }

        private int partner(final int step)
        {
            return Math.floorMod(step - request.rank(), request.size());
        }

        private void expose(final int peer, final StepList after)
        {
            steps.expose(
                peer, Channels.EXPOSE, request.received().offset(peer), request.received().length(peer),
                after.toArray());
        }

        private void exchange(final int peer)
        {
            final boolean isSent = eager.isAll(request.blocks().length(peer));
            final boolean isReceived = eager.isAll(request.received().length(peer));
            final Segments out = new Segments(
                request.blocks().offset(peer), isSent ? 0 : request.blocks().length(peer), request.segment());
            final int incoming =
                new Segments(0, isReceived ? 0 : request.received().length(peer), request.segment()).number();
            final int[] copies = new int[window];
            if (request.inPlace() && !isReceived)
            {
                final StepList saved = new StepList();
                for (int i = 0; i < Math.min(window, out.number()); i++)
                {
                    copies[i] = save(out, i);
                    saved.add(copies[i]);
                }
                expose(peer, saved);
            }
            eager.receive(peer, request.received().offset(peer), request.received().length(peer),
                request.inPlace() ? eagerSent[peer] : -1);
            final int exposed = isSent ? -1 : steps.awaitExposure(peer, Channels.EXPOSE, out.count());
            for (int i = 0; i < Math.max(out.number(), incoming); i++)
            {
                if (i < out.number())
                {
                    send(peer, out, i, exposed, copies[i % window]);
                }
                if (i < incoming)
                {
                    final int arrived = steps.await(peer, Channels.DATA);
                    if (i + window < incoming)
                    {
                        copies[i % window] = request.inPlace() ? save(out, i + window) : -1;
                        steps.signal(peer, Channels.CREDIT, arrived, copies[i % window]);
                    }
                }
            }
        }

        /** Copies a segment to its slot, after the slot's previous segment has been sent. */
        private int save(final Segments out, final int index)
        {
            return steps.copy(
                INPUT.at(out.offset(index)), SCRATCH.at(index % window * slot), out.length(index),
                putFrom[index % window]);
        }

        private void send(final int peer, final Segments out, final int index, final int exposed, final int copied)
        {
            final boolean inPlace = request.inPlace();
            final Location source = inPlace ? SCRATCH.at(index % window * slot) : INPUT.at(out.offset(index));
            final int credit = index < window ? -1 : steps.await(peer, Channels.CREDIT);
            final int put = steps.put(
                peer, Channels.DATA, source, OUTPUT.at(index * request.segment()), out.length(index), exposed, credit,
                inPlace ? copied : -1);
            putFrom[index % window] = inPlace ? put : -1;
        }
    }
}
