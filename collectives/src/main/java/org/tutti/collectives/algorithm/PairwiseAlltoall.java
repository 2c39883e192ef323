/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Alltoall for large data, or where each rank knows only its own blocks: in each step a rank exchanges blocks with one
 * or two partners, directly to OUTPUT. Each block is sent once, the minimum. Of an even number {@code n} of ranks, two
 * are partners in the step that is the sum of their numbers modulo {@code n - 1}, and the last rank is the partner of
 * the rank that would be its own partner; of an odd number, those whose numbers differ by {@code s} modulo {@code n}
 * are partners in step {@code s}, so every rank has two in each step. Each exposes to its partner the part of OUTPUT
 * for the block, with the expected length. In place, a segment is copied to SCRATCH before the partner may overwrite
 * it. A rank sends some segments ahead, also to its next partners. Credits limit how many segments it is ahead of a
 * partner; in place, a partner gives a credit only when it has copied the segment that will be overwritten. Blocks of
 * up to eager elements are sent first, all at once, without waiting for the partner; the length of a longer one is
 * announced. SCRATCH: {@code window * segment} elements for each partner of a step, used only in place, plus
 * {@code n * min(eager, segment)}.
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
        private final long slotLength;
        private final int window;
        private final int[] putFrom;
        private final EagerBlocks eager;
        private final int[] eagerSent;

        Writer(
            final ScheduleBuilder steps, final ScheduleRequest request, final Collective collective,
            final long slotLength)
        {
            this.steps = steps;
            this.request = request;
            this.slotLength = slotLength;
            window = request.window();
            putFrom = new int[(isEven() ? 1 : 2) * window];
            Arrays.fill(putFrom, -1);
            eager = new EagerBlocks(steps, request, collective, putFrom.length * slotLength);
            eagerSent = new int[request.size()];
        }

        void write()
        {
            for (int step = 0; step < steps(); step++)
            {
                for (final int peer : partners(step))
                {
                    eagerSent[peer] =
                        eager.send(peer, request.blocks().offset(peer), request.blocks().length(peer));
                    if (!request.inPlace() && !eager.isAll(request.received().length(peer)))
                    {
                        expose(peer, new StepList());
                    }
                }
            }
            writeRounds();
        }

        /**
         * Sends some rounds before it receives in the first one, then one more for each in which it has received, to
         * the next partners once all segments for some have been sent. No deadlock: a rank that begins a step has sent
         * all segments and credits of earlier steps, as a step has at least as many rounds as segments. So a rank waits
         * only for ranks that are at an earlier round, or that send in the same one.
         */
        private void writeRounds()
        {
            final Deque<Round> sent = new ArrayDeque<>();
            final int ahead = ahead();
            int slots = 0;
            for (int step = 0; step < steps(); step++)
            {
                final List<Exchange> exchanges = new ArrayList<>(2);
                int rounds = 0;
                for (final int peer : partners(step))
                {
                    exchanges.add(new Exchange(peer, exchanges.size() * window, slots));
                    rounds = Math.max(rounds, exchanges.getLast().rounds());
                }
                slots += rounds;
                for (int i = 0; i < rounds; i++)
                {
                    if (sent.size() == ahead)
                    {
                        sent.remove().receive();
                    }
                    sent.add(new Round(exchanges, i));
                    sent.getLast().send();
                }
            }
            sent.forEach(Round::receive);
        }

        /** A window of rounds, or half of one if a sender needs credits, so that they return before they are needed. */
        private int ahead()
        {
            final long longest = Math.max(request.blocks().longest(), request.received().longest());
            return request.ahead(new Segments(0, longest, request.segment()).number());
        }

        private boolean isEven()
        {
            return request.size() % 2 == 0;
        }

        private int steps()
        {
            return isEven() ? request.size() - 1 : request.size() / 2;
        }

        private int[] partners(final int step)
        {
            final int rank = request.rank();
            final int last = request.size() - 1;
            if (!isEven())
            {
                return new int[] {(rank + step + 1) % request.size(), Math.floorMod(rank - step - 1, request.size())};
            }
            if (rank == last)
            {
                // The rank that would be its own partner: twice its number is the step, modulo an odd number.
                return new int[] {(int)((long)step * (last + 1) / 2 % last)};
            }
            final int partner = Math.floorMod(step - rank, last);
            return new int[] {partner == rank ? last : partner};
        }

        private void expose(final int peer, final StepList after)
        {
            steps.expose(
                peer, Channels.EXPOSE, request.received().offset(peer), request.received().length(peer),
                after.toArray());
        }

        /** A segment to each partner of a step, and one from each. */
        private record Round(List<Exchange> exchanges, int index)
        {
            void send()
            {
                if (index == 0)
                {
                    // Both partners wait for the exposure.
                    exchanges.forEach(Exchange::save);
                    exchanges.forEach(Exchange::begin);
                }
                exchanges.forEach(exchange -> exchange.send(index));
            }

            void receive()
            {
                exchanges.forEach(exchange -> exchange.receive(index));
            }
        }

        /** All segments to a partner and from it. */
        private final class Exchange
        {
            private final int peer;
            private final int firstSlot;
            private final int round;
            private final boolean isSent;
            private final boolean isReceived;
            private final Segments out;
            private final int incoming;
            /** By segment modulo the window: the step that copies it, or -1. */
            private final int[] copies = new int[window];
            private int exposed = -1;

            /**
             * Creates an exchange.
             *
             * @param firstSlot first of a window of slots, used only in place.
             * @param round     number of rounds in earlier steps, after which the oldest slot is the next one.
             */
            Exchange(final int peer, final int firstSlot, final int round)
            {
                this.peer = peer;
                this.firstSlot = firstSlot;
                this.round = round;
                Arrays.fill(copies, -1);
                isSent = eager.isAll(request.blocks().length(peer));
                isReceived = eager.isAll(request.received().length(peer));
                out = new Segments(
                    request.blocks().offset(peer), isSent ? 0 : request.blocks().length(peer), request.segment());
                incoming =
                    new Segments(0, isReceived ? 0 : request.received().length(peer), request.segment()).number();
            }

            /** Number of rounds, at least one, in which blocks that were sent eagerly are received. */
            int rounds()
            {
                return Math.max(1, Math.max(out.number(), incoming));
            }

            void send(final int index)
            {
                if (index < out.number())
                {
                    final boolean inPlace = request.inPlace();
                    final int credit = index < window ? -1 : steps.await(peer, Channels.CREDIT);
                    final int put = steps.put(
                        peer, Channels.DATA,
                        inPlace ? SCRATCH.at(slot(index) * slotLength) : INPUT.at(out.offset(index)),
                        OUTPUT.at(index * request.segment()), out.length(index), exposed, credit,
                        copies[index % window]);
                    putFrom[slot(index)] = put;
                }
            }

            /** In place, copies as many segments as the partner may overwrite without a credit, then exposes OUTPUT. */
            void save()
            {
                if (request.inPlace() && !isReceived)
                {
                    final StepList saved = new StepList();
                    for (int i = 0; i < Math.min(window, out.number()); i++)
                    {
                        copies[i] = save(i);
                        saved.add(copies[i]);
                    }
                    expose(peer, saved);
                }
            }

            void begin()
            {
                eager.receive(peer, request.received().offset(peer), request.received().length(peer),
                    request.inPlace() ? eagerSent[peer] : -1);
                exposed = isSent ? -1 : steps.awaitExposure(peer, Channels.EXPOSE, out.count());
            }

            /** Copies a segment to its slot, after the slot's previous segment has been sent. */
            private int save(final int index)
            {
                return steps.copy(
                    INPUT.at(out.offset(index)), SCRATCH.at(slot(index) * slotLength), out.length(index),
                    putFrom[slot(index)]);
            }

            private int slot(final int index)
            {
                return firstSlot + (round + index) % window;
            }

            void receive(final int index)
            {
                if (index < incoming)
                {
                    final int arrived = steps.await(peer, Channels.DATA);
                    if (index + window < incoming)
                    {
                        copies[index % window] = request.inPlace() ? save(index + window) : -1;
                        steps.signal(peer, Channels.CREDIT, arrived, copies[index % window]);
                    }
                }
            }
        }
    }
}
