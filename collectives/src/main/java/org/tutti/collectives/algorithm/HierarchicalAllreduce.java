/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.pattern.Partition;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.stream.LongStream;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;

/**
 * Allreduce across hosts with several ranks each, in three stages: a reduce-scatter within each host, an allreduce of
 * each chunk between the ranks that have it on all hosts, an allgather within each host. Each of {@code h} hosts sends
 * {@code 2 (h - 1) / h} of the data, over all its ranks at once; in recursive doubling every rank would send all the
 * data, and in a ring the number of steps would grow with the total number of ranks. There are as many chunks as the
 * smallest host has ranks; the remaining ranks of a larger host take part within their host only. Within hosts:
 * pairwise reduce-scatter, then Bruck's allgather if the data fits a segment, else a ring. Between hosts: recursive
 * doubling if the data fits a segment, else Rabenseifner's algorithm, which combines inputs in the same order;
 * hierarchical_ring uses a ring instead, which sends the minimum even if the number of hosts is not a power of two.
 * hierarchical_direct requires that the ranks of a host can load one another's memory: within hosts, every rank sums
 * its chunk in place and later writes the result to all others, as in direct, so that no data goes through SCRATCH.
 * SCRATCH: the sum over the stages. The operation must commute, because inputs are combined host by host.
 * <p>
 * Mikami, Suganuma, U-chupala, Tanaka and Kageyama, <i>Massively distributed SGD: ImageNet/ResNet-50 training in a
 * flash</i>, 2018, arXiv:1811.05233 (there: 2D-torus all-reduce).
 *
 * @param isRing   whether hosts exchange data in a ring.
 * @param isDirect whether ranks load from INPUT of the other ranks of their host.
 */
record HierarchicalAllreduce(boolean isRing, boolean isDirect) implements ScheduleGenerator
{
    private static final ScheduleGenerator REDUCE_SCATTER = new PairwiseReduceScatter();
    private static final ScheduleGenerator SHORT_ALLREDUCE = new RecursiveDoublingAllreduce();
    private static final ScheduleGenerator LONG_ALLREDUCE = new RabenseifnerAllreduce();
    private static final ScheduleGenerator RING_ALLREDUCE = new RingAllreduce();
    private static final ScheduleGenerator SHORT_ALLGATHER = new BruckAllgather();
    private static final ScheduleGenerator LONG_ALLGATHER = new RingAllgather();
    private static final ScheduleGenerator DIRECT_REDUCE_SCATTER = new DirectReduceScatter();
    private static final ScheduleGenerator DIRECT_ALLGATHER = new ExposedAllgather();

    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        return new Writer(request, isRing, isDirect).write();
    }

    private static final class Writer
    {
        private final Composition steps;
        private final ScheduleRequest request;
        private final HostMap hosts;
        private final int host;
        private final int index;
        private final int ranks;
        private final Partition chunks;
        private final boolean isShort;
        private final ScheduleGenerator reduceScatter;
        private final ScheduleGenerator between;
        private final ScheduleGenerator allgather;

        Writer(final ScheduleRequest request, final boolean isRing, final boolean isDirect)
        {
            steps = new Composition(request);
            this.request = request;
            hosts = request.hosts();
            host = hosts.host(request.rank());
            index = hosts.index(request.rank());
            ranks = hosts.ranks(host);
            chunks = new Partition(request.count(), hosts.smallest());
            isShort = request.count() <= request.segment();
            reduceScatter = isDirect ? DIRECT_REDUCE_SCATTER : REDUCE_SCATTER;
            allgather = isDirect ? DIRECT_ALLGATHER : isShort ? SHORT_ALLGATHER : LONG_ALLGATHER;
            between = isRing ? RING_ALLREDUCE : isShort ? SHORT_ALLREDUCE : LONG_ALLREDUCE;
        }

        Schedule write()
        {
            reduceInHost();
            reduceBetweenHosts();
            gatherInHost();
            return steps.build();
        }

        private void reduceInHost()
        {
            if (hosts.largest() > 1)
            {
                if (ranks > 1)
                {
                    steps.add(
                        reduceScatter.generate(inHost(ranks, request.inPlace()).withRank(index)),
                        HostGroups.host(hosts, host), new Composition.Place(INPUT.at(0), ownOffset()),
                        hosts.number() == 1);
                }
                steps.reserve(HostGroups.scratch(hosts, reduceScatter, (number) -> inHost(number, false)));
            }
        }

        private void reduceBetweenHosts()
        {
            if (hosts.number() > 1 || hosts.largest() == 1)
            {
                if (index < chunks.number())
                {
                    final boolean isReduced = ranks > 1;
                    final Location input = isReduced ? OUTPUT.at(ownOffset()) : INPUT.at(ownOffset());
                    steps.add(
                        between.generate(betweenHosts(index, isReduced || request.inPlace()).withRank(host)),
                        HostGroups.rail(hosts, index), new Composition.Place(input, ownOffset()), true);
                }
                steps.reserve(between.generate(betweenHosts(0, true)).scratchCount());
            }
        }

        private void gatherInHost()
        {
            if (hosts.largest() > 1)
            {
                if (ranks > 1)
                {
                    steps.add(
                        allgather.generate(inHost(ranks, true).withRank(index)), HostGroups.host(hosts, host),
                        new Composition.Place(OUTPUT.at(ownOffset()), 0), false);
                }
                steps.reserve(HostGroups.scratch(hosts, allgather, (number) -> inHost(number, true)));
            }
        }

        /** The request of a stage within hosts: the first ranks of a host have one chunk each, its other ranks none. */
        private ScheduleRequest inHost(final int number, final boolean inPlace)
        {
            return new ScheduleRequest(0, number, 0, 0, inPlace, request.segment(), request.window())
                .withBlocks(Blocks.of(LongStream.range(0, number)
                .map((rank) -> rank < chunks.number() ? chunks.length((int)rank) : 0).toArray()));
        }

        private ScheduleRequest betweenHosts(final int chunk, final boolean inPlace)
        {
            return new ScheduleRequest(
                0, hosts.number(), chunks.length(chunk), 0, inPlace, request.segment(), request.window());
        }

        private long ownOffset()
        {
            return chunks.offset(Math.min(index, chunks.number()));
        }
    }
}
