/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.KnomialTree;
import org.tutti.collectives.pattern.Partition;
import org.tutti.collectives.pattern.RingPattern;
import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.pattern.Tree;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;

import static org.tutti.collectives.schedule.BufferId.OUTPUT;

/**
 * Broadcast for large data: a scatter of n chunks down a binomial tree, then an allgather around a ring. A rank sends
 * up to twice the data in {@code ceil(log2 n) + n - 1} steps: less than in a tree, and without the long pipeline of a
 * chain. The ring does not send a rank the chunks that it has from the scatter. Data goes directly to OUTPUT, n
 * segments at a time if a chunk would be longer than a segment. Credits limit how many messages a rank is ahead of the
 * next rank and of its children. No SCRATCH.
 * <p>
 * Barnett, Shuler, van de Geijn, Gupta, Payne and Watts, <i>Interprocessor collective communication library
 * (InterCom)</i>, Scalable High Performance Computing Conference 1994, doi:10.1109/SHPCC.1994.296665; Zhou, Marjanović,
 * Niethammer and Gracia, <i>A Bandwidth-Saving Optimization for MPI Broadcast Collective Operation</i>, ICPPW 2015,
 * arXiv:1603.06809 (no chunk is sent to a rank that has it).
 */
final class ScatterAllgatherBroadcast implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        return request.size() == 1 || request.count() == 0 ? steps.build() : new Writer(steps, request).write();
    }

    /**
     * Writes the schedule of one rank. A rank's <i>number</i> is its distance from the root; chunks are numbered in the
     * same way.
     */
    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final int size;
        private final int window;
        private final int number;
        private final int span;
        private final int nextSpan;
        private final int parent;
        private final int previous;
        private final int next;
        private final int[] children;
        private final int[] childNumbers;
        private final int[] childSpans;
        private final int[] exposed;
        private final int nextExposed;
        private final Segments segments;
        private Partition chunks;
        private long offset;
        /**
         * The WAIT for the latest credit from the next rank. The credits of scatter and ring are awaited one after the
         * other, so a message that depends on the latest depends on all of them.
         */
        private int credit = -1;
        private long sent;
        private long received;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            size = request.size();
            window = request.window();
            final KnomialTree tree = KnomialTree.binomial(size, request.root());
            final RingPattern ring = new RingPattern(request.rank(), size);
            number = Math.floorMod(request.rank() - request.root(), size);
            next = ring.next();
            previous = ring.previous();
            span = tree.span(request.rank());
            nextSpan = tree.span(next);
            parent = tree.parent(request.rank());
            children = tree.children(request.rank());
            childNumbers = Arrays.stream(children)
                .map((child) -> Math.floorMod(child - request.root(), size)).toArray();
            childSpans = Arrays.stream(children).map(tree::span).toArray();
            segments = new Segments(0, request.count(), Math.min(request.count(), request.segment()) * size);
            expose();
            exposed = new int[children.length];
            for (int c = 0; c < children.length; c++)
            {
                exposed[c] = childNumbers[c] < segments.longest() || children[c] == next ?
                    steps.await(children[c], Channels.EXPOSE) : -1;
            }
            nextExposed = next == request.root() ? -1 : nextExposed();
        }

        /**
         * Exposes OUTPUT to the ranks that write to it. The ring sends to all ranks but the root; the scatter sends
         * nothing to ranks whose chunk is empty.
         */
        private void expose()
        {
            if (parent != Tree.NONE)
            {
                if (number < segments.longest() && previous != parent)
                {
                    steps.expose(parent, Channels.EXPOSE);
                }
                steps.expose(previous, Channels.EXPOSE);
            }
        }

        private int nextExposed()
        {
            for (int c = 0; c < children.length; c++)
            {
                if (children[c] == next)
                {
                    return exposed[c];
                }
            }
            return steps.await(next, Channels.EXPOSE);
        }

        Schedule write()
        {
            for (int segment = 0; segment < segments.number(); segment++)
            {
                chunks = new Partition(segments.length(segment), size);
                offset = segments.offset(segment);
                gather(scatter(segment));
            }
            return steps.build();
        }

        private int scatter(final int segment)
        {
            int arrived = -1;
            if (parent != Tree.NONE && elements(number, span) > 0)
            {
                arrived = steps.await(parent, Channels.DOWN);
                if (hasChunk(segment + (long)window, number))
                {
                    steps.signal(parent, Channels.DOWN_CREDIT, arrived);
                }
            }
            for (int c = 0; c < children.length; c++)
            {
                final long length = elements(childNumbers[c], childSpans[c]);
                if (length > 0)
                {
                    final boolean isNext = children[c] == next;
                    final int before = isNext ? credit : -1;
                    final int granted =
                        segment < window ? before : steps.await(children[c], Channels.DOWN_CREDIT, before);
                    credit = isNext ? granted : credit;
                    final long at = offset + chunks.offset(childNumbers[c]);
                    steps.put(
                        children[c], Channels.DOWN, OUTPUT.at(at), OUTPUT.at(at), length, arrived, exposed[c], granted);
                }
            }
            return arrived;
        }

        private void gather(final int scattered)
        {
            final int sends = nextExposed < 0 ? 0 : size - nextSpan;
            final int receives = size - span;
            int arrived = -1;
            for (int step = 0; step < Math.max(sends, receives); step++)
            {
                if (step < sends)
                {
                    final int chunk = Math.floorMod(number - step, size);
                    send(chunk, Math.floorMod(chunk - number, size) < span ? scattered : arrived);
                }
                arrived = step < receives ? receive(Math.floorMod(number - 1 - step, size)) : -1;
            }
        }

        private void send(final int chunk, final int ready)
        {
            final long length = chunks.length(chunk);
            if (length > 0)
            {
                credit = sent++ < window ? credit : steps.await(next, Channels.CREDIT, credit);
                final long at = offset + chunks.offset(chunk);
                steps.put(next, Channels.DATA, OUTPUT.at(at), OUTPUT.at(at), length, ready, credit, nextExposed);
            }
        }

        private int receive(final int chunk)
        {
            if (chunks.length(chunk) == 0)
            {
                return -1;
            }
            final int arrived = steps.await(previous, Channels.DATA);
            if (received++ + window < incoming())
            {
                steps.signal(previous, Channels.CREDIT, arrived);
            }
            return arrived;
        }

        /**
         * The number of messages that this rank receives in the ring, over all segments; only the last segment may have
         * empty chunks.
         */
        private long incoming()
        {
            final long last = segments.length(segments.number() - 1);
            final long below = Math.min(number, last);
            final long above = Math.clamp(last - number - span, 0, size - number - span);
            return (segments.number() - 1L) * (size - span) + below + above;
        }

        /** Whether a segment has elements of a chunk. */
        private boolean hasChunk(final long segment, final int chunk)
        {
            return segment < segments.number() && chunk < segments.length((int)segment);
        }

        private long elements(final int chunk, final int number)
        {
            return chunks.offset(chunk + number) - chunks.offset(chunk);
        }
    }
}
