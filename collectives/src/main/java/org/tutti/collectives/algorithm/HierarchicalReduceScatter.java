/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.BlockSegments;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Reduce-scatter across hosts with several ranks each: each rank sums, within its host, the blocks that belong to the
 * ranks with its index on all hosts; then it sends each of these ranks its sum, so each host sends one sum per block.
 * On {@code h} hosts of {@code n} ranks, it takes two steps of concurrent messages, per block {@code n - 1} within each
 * host, then {@code h - 1} between hosts; a ring of all ranks takes {@code h n - 1} steps. If a host has no rank with
 * this index, its rank with the index modulo its number of ranks sums the block. Blocks may differ in length. They are
 * reduced segment by segment, the blocks of four hosts at a time; then the senders get credits for the slots. SCRATCH:
 * {@code window (4 n + h)} segments. The operation must commute, because inputs are combined host by host.
 * <p>
 * Träff, <i>Decomposing collectives for exploiting multi-lane communication</i>, 2019, arXiv:1910.13373.
 */
final class HierarchicalReduceScatter implements ScheduleGenerator
{
    /** Blocks per group, few enough that a window of groups fits the peers' receive FIFOs. */
    private static final int GROUP = 4;

    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        return request.size() == 1 ? SingleRank.copy(steps, request) : new Writer(steps, request).write();
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final int rank;
        private final HostMap hosts;
        private final int host;
        private final int index;
        private final int ranks;
        private final int window;
        private final BlockSegments segments;
        private final long slotLength;
        /** The number of groups of blocks at the rank that adds the most blocks. */
        private final int groups;
        /** By rank of this host: the blocks that it adds. */
        private final List<List<Integer>> bundles;
        /**
         * By round modulo the window, then by block of the group: the step after which the sum may be overwritten, or
         * -1.
         */
        private final int[][] freed;
        /**
         * By segment modulo the window: the step after which the sum of this rank's own block may be overwritten, or
         * -1.
         */
        private final int[] ownFreed;
        /**
         * By rank of this host: the number of groups of the rank's bundle, over all segments, that have elements: all
         * such groups, and those done so far.
         */
        private final int[] rounds;
        private final int[] done;
        private int segment;
        private int group;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            rank = request.rank();
            hosts = request.hosts();
            host = hosts.host(rank);
            index = hosts.index(rank);
            ranks = hosts.ranks(host);
            window = request.window();
            segments = new BlockSegments(request.blocks(), request.segment());
            slotLength = Math.min(request.segment(), request.blocks().longest());
            groups = Math.ceilDiv(IntStream.range(0, hosts.number())
                .map((other) -> Math.ceilDiv(hosts.ranks(other), hosts.smallest())).sum(), GROUP);
            bundles = IntStream.range(0, ranks).mapToObj((of) -> HostGroups.served(hosts, host, of)).toList();
            freed = new int[window][GROUP];
            ownFreed = new int[window];
            rounds = new int[ranks];
            done = new int[ranks];
            steps.scratch(segments.number() == 0 ? 0 :
                window * ((long)hosts.largest() * GROUP + hosts.number()) * slotLength);
        }

        Schedule write()
        {
            for (final int[] step : freed)
            {
                Arrays.fill(step, -1);
            }
            Arrays.fill(ownFreed, -1);
            for (int of = 0; of < ranks; of++)
            {
                for (int round = 0; round < segments.number() * groups; round++)
                {
                    rounds[of] += isEmpty(of, round / groups, round % groups) ? 0 : 1;
                }
            }
            for (segment = 0; segment < segments.number(); segment++)
            {
                for (group = 0; group < groups; group++)
                {
                    sendInHost();
                    addInHost();
                }
                if (length(rank) > 0 && hosts.number() > 1)
                {
                    addBetweenHosts();
                }
            }
            return steps.build();
        }

        private boolean isEmpty(final int of, final int ofSegment, final int ofGroup)
        {
            final List<Integer> bundle = bundles.get(of);
            for (int i = GROUP * ofGroup; i < Math.min(GROUP * (ofGroup + 1), bundle.size()); i++)
            {
                if (segments.length(ofSegment, bundle.get(i)) > 0)
                {
                    return false;
                }
            }
            return true;
        }

        /** Sends the blocks of a group, to the next rank first, so that not all ranks send to the same one at once. */
        private void sendInHost()
        {
            for (int step = 1; step < ranks; step++)
            {
                final int to = (index + step) % ranks;
                if (!isEmpty(to, segment, group))
                {
                    final int round = done[to]++;
                    sendInHost(to, round, round < window ? -1 : steps.await(hosts.rank(host, to), Channels.CREDIT));
                }
            }
        }

        private void sendInHost(final int to, final int round, final int credit)
        {
            final List<Integer> bundle = bundles.get(to);
            for (int i = GROUP * group; i < Math.min(GROUP * (group + 1), bundle.size()); i++)
            {
                final int of = bundle.get(i);
                if (length(of) > 0)
                {
                    steps.put(
                        hosts.rank(host, to), Channels.DATA, INPUT.at(segments.offset(segment, of)),
                        SCRATCH.at(slot(round, index, i)), length(of), credit);
                }
            }
        }

        private void addInHost()
        {
            if (isEmpty(index, segment, group))
            {
                return;
            }
            final List<Integer> bundle = bundles.get(index);
            final int round = done[index]++;
            final StepList sums = new StepList();
            for (int i = GROUP * group; i < Math.min(GROUP * (group + 1), bundle.size()); i++)
            {
                final int of = bundle.get(i);
                if (of == rank && length(of) > 0)
                {
                    ownFreed[segment % window] = add(of, i, round, hostSlot(segment, host), ownFreed[segment % window]);
                    sums.add(ownFreed[segment % window]);
                }
                else if (length(of) > 0)
                {
                    final long sum = slot(round, index, i);
                    final int added = add(of, i, round, sum, freed[round % window][i % GROUP]);
                    sums.add(added);
                    freed[round % window][i % GROUP] = send(of, sum, added);
                }
            }
            for (int step = 1; step < ranks && round + window < rounds[index]; step++)
            {
                steps.signal(
                    hosts.rank(host, Math.floorMod(index - step, ranks)), Channels.CREDIT, sums.toArray());
            }
        }

        /**
         * Adds the inputs of this host's ranks for a block.
         *
         * @return the step that completes the sum; {@code ready} if this rank is the only one of its host.
         */
        private int add(final int of, final int place, final int round, final long sumOffset, final int ready)
        {
            Location sum = INPUT.at(segments.offset(segment, of));
            int last = ready;
            for (int step = 1; step < ranks; step++)
            {
                final int from = Math.floorMod(index - step, ranks);
                final int arrived = steps.await(hosts.rank(host, from), Channels.DATA);
                final boolean isFinal = hosts.number() == 1 && step == ranks - 1;
                final Location destination = isFinal ? OUTPUT.at(outputOffset()) : SCRATCH.at(sumOffset);
                last = steps.reduce(
                    sum, SCRATCH.at(slot(round, from, place)), destination, length(of), isFinal, arrived, last);
                sum = destination;
            }
            return last;
        }

        /**
         * Sends a sum. Returns the step that reads the sum, or -1 if this rank is the only one of its host and sends
         * INPUT.
         */
        private int send(final int of, final long sum, final int added)
        {
            final int credit = segment < window ? -1 : steps.await(of, Channels.CREDIT);
            final int put = steps.put(
                of, Channels.DATA, ranks == 1 ? INPUT.at(segments.offset(segment, of)) : SCRATCH.at(sum),
                SCRATCH.at(hostSlot(segment, host)), length(of), ranks == 1 ? -1 : added, credit);
            return ranks == 1 ? -1 : put;
        }

        private void addBetweenHosts()
        {
            final Location ownSlot = SCRATCH.at(hostSlot(segment, host));
            Location sum = ranks == 1 ? INPUT.at(segments.offset(segment, rank)) : ownSlot;
            int last = ownFreed[segment % window];
            for (int step = 1; step < hosts.number(); step++)
            {
                final int other = (host + step) % hosts.number();
                final int arrived = steps.await(adder(other), Channels.DATA);
                final boolean isFinal = step == hosts.number() - 1;
                final Location destination = isFinal ? OUTPUT.at(outputOffset()) : ownSlot;
                last = steps.reduce(
                    sum, SCRATCH.at(hostSlot(segment, other)), destination, length(rank), isFinal, arrived, last);
                sum = destination;
            }
            ownFreed[segment % window] = last;
            for (int step = 1; step < hosts.number() && segments.length(segment + window, rank) > 0; step++)
            {
                steps.signal(adder((host + step) % hosts.number()), Channels.CREDIT, last);
            }
        }

        /** The rank of another host that adds this rank's block. */
        private int adder(final int other)
        {
            return HostGroups.counterpart(hosts, other, index);
        }

        private long length(final int block)
        {
            return segments.length(segment, block);
        }

        private long outputOffset()
        {
            return segment * segments.segmentLength();
        }

        /**
         * Offset in SCRATCH at which a block from another rank of this host arrives, or at which this rank stores the
         * sum of a block before it sends the sum.
         */
        private long slot(final int round, final int from, final int place)
        {
            return ((round % window * (long)hosts.largest() + from) * GROUP + place % GROUP) * slotLength;
        }

        /** Offset in SCRATCH of a host's sum of this rank's block: received from that host, or made on this host. */
        private long hostSlot(final int ofSegment, final int from)
        {
            return (window * (long)hosts.largest() * GROUP +
                ofSegment % window * (long)hosts.number() + from) * slotLength;
        }
    }
}
