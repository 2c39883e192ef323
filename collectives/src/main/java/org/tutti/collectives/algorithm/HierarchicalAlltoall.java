/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.HostExchange;
import org.tutti.collectives.pattern.HostExchanges;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.pattern.Segments;
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
 * Alltoall for small data across hosts with several ranks each, in three steps: the ranks of a host collect the blocks
 * for each other host at one of them, the collectors of each two hosts exchange one message, and they pass the blocks
 * on within their host. Each of {@code h} hosts of {@code m} ranks sends {@code h - 1} messages to other hosts, where
 * each rank would otherwise send {@code n - m}; each block is sent between hosts once, the minimum. The work is divided
 * among the ranks of a host; if there are fewer hosts than ranks per host, each two hosts exchange several messages, so
 * that most ranks send one. Blocks between ranks of a host are sent directly to their SCRATCH. Collectors put the
 * blocks in the order of their destinations. Blocks longer than a segment are exchanged segment by segment in two sets
 * of slots, with credits from the third segment on. All blocks have the same length. SCRATCH: about {@code 5 n}
 * segments if hosts are evenly filled (twice that for longer blocks). The window is not used.
 * <p>
 * Träff and Rougier, <i>MPI collectives and datatypes for hierarchical all-to-all communication</i>, EuroMPI/ASIA 2014,
 * doi:10.1145/2642769.2642770 (there: one rank of each host collects all blocks).
 */
final class HierarchicalAlltoall implements ScheduleGenerator
{
    private static final int SETS = 2;

    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() > 1)
        {
            new Writer(steps, request).write();
        }
        OwnBlock.keep(steps, request);
        return steps.build();
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final ScheduleRequest request;
        private final HostMap hosts;
        private final int host;
        private final int index;
        private final int ranks;
        private final Segments segments;
        /** By rank of this host: the exchanges that it makes, and the ranks of other hosts that it sends blocks to. */
        private final List<List<HostExchange>> exchanges;
        private final int[][] relayed;
        private final List<HostExchange> own;
        /** Offsets of the parts of a set in slots, and their sum. */
        private final long collected;
        private final long sorted;
        private final long received;
        private final long delivered;
        private final long slots;
        /** By set, then by rank of this host or by exchange: the PUT from a slot that this rank fills. */
        private final int[][] collectedFrom;
        private final int[][] sortedFrom;
        private final int[][] deliveredFrom;
        /** By rank: the PUT that reads the block for that rank in INPUT, or -1 if a COPY does. */
        private final int[] read;
        private final int[] credits;
        private int segment;
        private long length;
        private long base;
        /** COPYs are executed in order anyway, so each depends on the one before: the last one comes after all. */
        private int copied = -1;
        private StepList puts;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            this.request = request;
            hosts = request.hosts();
            host = hosts.host(request.rank());
            index = hosts.index(request.rank());
            ranks = hosts.ranks(host);
            segments = new Segments(0, request.count(), request.segment());
            final HostExchanges pairs = new HostExchanges(hosts);
            exchanges = IntStream.range(0, ranks).mapToObj((of) -> pairs.of(host, of)).toList();
            relayed = exchanges.stream().map((list) -> list.stream().flatMapToInt((exchange) ->
                IntStream.range(exchange.sentFrom(), exchange.sentTo())
                .map((to) -> hosts.rank(exchange.host(), to))).toArray()).toArray(int[][]::new);
            own = exchanges.get(index);
            collected = request.size();
            sorted = collected + Math.max(pairs.mostSent(), pairs.mostReceived());
            received = sorted + pairs.mostSent();
            delivered = received + pairs.mostReceived();
            slots = pairs.slots();
            steps.scratch(Math.min(SETS, segments.number()) * slots * segments.longest());
            collectedFrom = none(ranks);
            sortedFrom = none(own.size());
            deliveredFrom = none(ranks);
            read = new int[request.size()];
            credits = new int[ranks];
        }

        private static int[][] none(final int number)
        {
            final int[][] none = new int[SETS][number];
            for (final int[] set : none)
            {
                Arrays.fill(set, -1);
            }
            return none;
        }

        void write()
        {
            for (segment = 0; segment < segments.number(); segment++)
            {
                length = segments.length(segment);
                base = segment % SETS * slots * segments.longest();
                puts = new StepList();
                Arrays.fill(read, -1);
                collect();
                exchange();
                keepLocal();
                deliver();
                receive();
                grant();
            }
        }

        /** Sends each rank of this host the blocks that it sends on, then the block for itself. */
        private void collect()
        {
            for (int step = 1; step < ranks; step++)
            {
                final int to = (index + step) % ranks;
                credits[to] = segment < SETS ? -1 : steps.await(hosts.rank(host, to), Channels.CREDIT);
                if (relayed[to].length > 0)
                {
                    final int[] blocks = relayed[to];
                    final boolean isRun = run(blocks, 0) == blocks.length;
                    final Location source = isRun ? input(blocks[0]) : pack(to);
                    final int put = steps.put(
                        hosts.rank(host, to), Channels.UP, source,
                        slot(collected, (long)index * blocks.length), blocks.length * length, isRun ? -1 : copied,
                        credits[to]);
                    collectedFrom[segment % SETS][to] = isRun ? -1 : put;
                    for (final int block : blocks)
                    {
                        read[block] = isRun ? put : -1;
                    }
                }
            }
            for (int step = 1; step < ranks; step++)
            {
                final int to = (index + step) % ranks;
                final int peer = hosts.rank(host, to);
                read[peer] = steps.put(
                    peer, Channels.DATA, input(peer), slot(delivered + index, 0), length, credits[to]);
            }
        }

        private Location pack(final int to)
        {
            final int first = IntStream.range(0, to).map((before) -> relayed[before].length).sum();
            final int[] blocks = relayed[to];
            for (int i = 0; i < blocks.length; i += run(blocks, i))
            {
                copy(input(blocks[i]), slot(first, i), run(blocks, i), collectedFrom[segment % SETS][to]);
            }
            return slot(first, 0);
        }

        private void exchange()
        {
            final int[] arrived = new int[ranks];
            Arrays.fill(arrived, -1);
            for (int step = 1; step < ranks && !own.isEmpty(); step++)
            {
                final int from = Math.floorMod(index - step, ranks);
                arrived[from] = steps.await(hosts.rank(host, from), Channels.UP);
            }
            int before = 0;
            for (int i = 0; i < own.size(); i++)
            {
                final HostExchange exchange = own.get(i);
                final int number = exchange.sentTo() - exchange.sentFrom();
                // Blocks for one rank are in order already.
                final boolean isSorted = own.size() == 1 && number == 1;
                if (isSorted)
                {
                    copy(input(relayed[index][0]), slot(collected, index), 1, sortedFrom[segment % SETS][0]);
                }
                else
                {
                    sort(i, before, arrived);
                }
                final int credit = segment < SETS ? -1 : steps.await(exchange.peer(), Channels.CREDIT);
                final StepList after = new StepList(new StepList(), copied);
                for (int from = 0; isSorted && from < ranks; from++)
                {
                    after.add(arrived[from]);
                }
                after.add(credit);
                sortedFrom[segment % SETS][i] = steps.put(
                    exchange.peer(), Channels.DATA, slot(isSorted ? collected : sorted + (long)before * ranks, 0),
                    slot(received + receivedBefore(exchange), 0), (long)number * ranks * length, after.toArray());
                puts.add(isSorted ? sortedFrom[segment % SETS][i] : -1);
                before += number;
            }
        }

        /** Puts the collected blocks of an exchange in the order of their destinations. */
        private void sort(final int number, final int before, final int[] arrived)
        {
            final int width = relayed[index].length;
            final HostExchange exchange = own.get(number);
            for (int to = 0; to < exchange.sentTo() - exchange.sentFrom(); to++)
            {
                for (int from = 0; from < ranks; from++)
                {
                    final Location source = from == index ? input(relayed[index][before + to]) :
                        slot(collected, (long)from * width + before + to);
                    copy(
                        source, slot(sorted + (long)before * ranks, (long)to * ranks + from), 1, arrived[from],
                        sortedFrom[segment % SETS][number]);
                }
            }
        }

        /** Slots at the peer of an exchange for what it receives in earlier exchanges. */
        private long receivedBefore(final HostExchange exchange)
        {
            final int other = exchange.host();
            long before = 0;
            for (final HostExchange of : new HostExchanges(hosts).of(other, hosts.index(exchange.peer())))
            {
                if (of.host() == host)
                {
                    break;
                }
                before += (long)(of.receivedTo() - of.receivedFrom()) * hosts.ranks(of.host());
            }
            return before;
        }

        private void keepLocal()
        {
            for (int step = 1; step < ranks; step++)
            {
                final int from = Math.floorMod(index - step, ranks);
                final int peer = hosts.rank(host, from);
                final int arrived = steps.await(peer, Channels.DATA);
                unpack(delivered + from, 0, new int[] {peer}, arrived);
            }
        }

        /** Passes on what other hosts have sent for ranks of this host. */
        private void deliver()
        {
            final int[] arrived = own.stream().mapToInt((exchange) -> steps.await(exchange.peer(), Channels.DATA))
                .toArray();
            long packed = 0;
            for (int step = 1; step < ranks; step++)
            {
                final int to = (index + step) % ranks;
                final int blocks = sources(index, to).length;
                final boolean isWhole = own.stream().filter((exchange) -> exchange.receivesFor(to)).count() == 1;
                Location source = slot(collected + packed, 0);
                int arrival = -1;
                long before = 0;
                long place = packed;
                for (int i = 0; i < own.size(); i++)
                {
                    final HostExchange exchange = own.get(i);
                    final int others = hosts.ranks(exchange.host());
                    final Location from =
                        slot(received + before, (long)(to - exchange.receivedFrom()) * others);
                    if (exchange.receivesFor(to) && isWhole)
                    {
                        source = from;
                        arrival = arrived[i];
                    }
                    else if (exchange.receivesFor(to))
                    {
                        copy(
                            from, slot(collected + packed, place - packed), others, arrived[i],
                            deliveredFrom[segment % SETS][to]);
                        place += others;
                    }
                    before += (long)(exchange.receivedTo() - exchange.receivedFrom()) * others;
                }
                if (blocks > 0)
                {
                    final int put = steps.put(
                        hosts.rank(host, to), Channels.DOWN, source, slot(delivered + deliveredBefore(index, to), 0),
                        blocks * length, isWhole ? arrival : copied, credits[to]);
                    deliveredFrom[segment % SETS][to] = isWhole ? -1 : put;
                    puts.add(put);
                }
                packed = place;
            }
            long before = 0;
            for (int i = 0; i < own.size(); i++)
            {
                final HostExchange exchange = own.get(i);
                final int others = hosts.ranks(exchange.host());
                if (exchange.receivesFor(index))
                {
                    unpack(
                        received + before, (long)(index - exchange.receivedFrom()) * others,
                        HostGroups.host(hosts, exchange.host()), arrived[i]);
                }
                before += (long)(exchange.receivedTo() - exchange.receivedFrom()) * others;
            }
        }

        private void receive()
        {
            for (int step = 1; step < ranks; step++)
            {
                final int from = Math.floorMod(index - step, ranks);
                final int[] blocks = sources(from, index);
                if (blocks.length > 0)
                {
                    final int arrived = steps.await(hosts.rank(host, from), Channels.DOWN);
                    unpack(delivered + deliveredBefore(from, index), 0, blocks, arrived);
                }
            }
        }

        /** The ranks of other hosts whose blocks for a rank of this host another one passes on. */
        private int[] sources(final int from, final int to)
        {
            return exchanges.get(from).stream().filter((exchange) -> exchange.receivesFor(to))
                .flatMapToInt((exchange) -> IntStream.of(HostGroups.host(hosts, exchange.host()))).toArray();
        }

        /** Slots at a rank of this host for its local blocks, and for what it gets from ranks before the given one. */
        private long deliveredBefore(final int from, final int to)
        {
            return ranks + IntStream.range(0, from).mapToLong((before) -> exchanges.get(before).stream()
                .filter((exchange) -> exchange.receivesFor(to)).mapToLong((exchange) -> hosts.ranks(exchange.host()))
                .sum()).sum();
        }

        private void grant()
        {
            if (segment + SETS < segments.number())
            {
                final int[] after = new StepList(puts, copied).toArray();
                for (int step = 1; step < ranks; step++)
                {
                    steps.signal(hosts.rank(host, Math.floorMod(index - step, ranks)), Channels.CREDIT, after);
                }
                for (final HostExchange exchange : own)
                {
                    steps.signal(exchange.peer(), Channels.CREDIT, after);
                }
            }
        }

        private void copy(final Location from, final Location to, final int blocks, final int... after)
        {
            final int[] all = Arrays.copyOf(after, after.length + 1);
            all[after.length] = copied;
            copied = steps.copy(from, to, blocks * length, all);
        }

        /** Copies blocks from consecutive slots to OUTPUT. In place, that overwrites the blocks sent to these ranks. */
        private void unpack(final long region, final long first, final int[] blocks, final int arrived)
        {
            int i = 0;
            while (i < blocks.length)
            {
                final int number = run(blocks, i);
                final StepList after = new StepList(new StepList(), arrived);
                for (int block = i; request.inPlace() && block < i + number; block++)
                {
                    after.add(read[blocks[block]]);
                }
                final long offset = request.received().offset(blocks[i]) + segments.offset(segment);
                copy(slot(region, first + i), OUTPUT.at(offset), number, after.toArray());
                i += number;
            }
        }

        /** Number of blocks from an index on that are neighbours in INPUT or OUTPUT; segments of blocks are not. */
        private int run(final int[] blocks, final int first)
        {
            int number = 1;
            while (segments.number() == 1 && first + number < blocks.length &&
                blocks[first + number] == blocks[first] + number)
            {
                number++;
            }
            return number;
        }

        private Location input(final int block)
        {
            return INPUT.at(request.blocks().offset(block) + segments.offset(segment));
        }

        /**
         * Location of a block in a region of slots, which is where it is for all segments: the last one may be shorter,
         * so that its blocks lie closer together.
         */
        private Location slot(final long region, final long number)
        {
            return SCRATCH.at(base + region * segments.longest() + number * length);
        }
    }
}
