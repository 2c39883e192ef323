/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

/**
 * Times of hierarchical algorithms: the sum of their stages within hosts and between them, as in Träff, <i>Decomposing
 * collectives for exploiting multi-lane communication</i>, 2019, arXiv:1910.13373.
 */
final class HierarchicalForms
{
    /** Radix of the trees of hosts in gathers and scatters. */
    private static final int RADIX = 8;
    /** Radix of the trees within hosts in scans. */
    private static final int SCAN_RADIX = 4;

    /** Hosts whose blocks a reduce-scatter adds at once. */
    private static final int HOSTS_PER_GROUP = 4;

    private HierarchicalForms()
    {
    }

    static double allreduce(final ModelledCall call)
    {
        return allreduce(call, false, false);
    }

    static double ringAllreduce(final ModelledCall call)
    {
        return allreduce(call, true, false);
    }

    static double directAllreduce(final ModelledCall call)
    {
        return allreduce(call, false, true);
    }

    private static double allreduce(final ModelledCall call, final boolean isRing, final boolean isDirect)
    {
        final ModelledRanks ranks = call.ranks();
        final int chunks = ranks.hosts().smallest();
        final ModelledCall between = call.on(ranks.betweenHosts(chunks), call.bytes() / chunks);
        final boolean isShort = call.fitsSegment();
        double time = isRing ? RingForms.allreduce(between) :
            isShort ? ExchangeForms.recursiveDoubling(between) : ExchangeForms.rabenseifner(between);
        if (ranks.hosts().largest() > 1)
        {
            final ModelledRanks host = ranks.withinHost();
            // Ranks without a chunk take part in the stages within their host, with empty blocks.
            final ModelledCall within = call.on(host, call.bytes() * host.size() / chunks);
            time += isDirect ? FanForms.directReduceScatter(within) + push(within) :
                FanForms.pairwiseReduceScatter(within) +
                (isShort ? ExchangeForms.bruckAllgather(within) : RingForms.allgather(within));
        }
        return time;
    }

    /** Allgather within a host by writing to all other ranks. */
    private static double push(final ModelledCall call)
    {
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink near = call.ranks().near();
        final double credits = number > call.window() ? near.sendNs() + near.receiveNs() : 0;
        return number * (call.size() - 1) * (near.send(segment) + near.receiveNs() + credits) + near.latencyNs();
    }

    static double leaderAllreduce(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        double time = ExchangeForms.recursiveDoubling(call.on(ranks.betweenHosts(1), call.bytes()));
        if (ranks.hosts().largest() > 1)
        {
            final ModelledCall within = call.on(ranks.withinHost(), call.bytes());
            time += TreeForms.binomialReduce(within) + TreeForms.binomialBroadcast(within);
        }
        return time;
    }

    static double barrier(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        return ExchangeForms.dissemination(call.on(ranks.betweenHosts(1), 0)) +
            2 * ModelledRanks.log2(ranks.hosts().largest()) * ranks.near().signal();
    }

    static double broadcast(final ModelledCall call)
    {
        return TreeForms.broadcastAcross(call);
    }

    static double reduce(final ModelledCall call)
    {
        return TreeForms.reduceAcross(call);
    }

    static double allgather(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final int hosts = ranks.hosts().number();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink far = ranks.across(ranks.hosts().largest());
        double time = ranks.copy(call.block()) + hosts * (far.sendNs() + far.receiveNs()) + far.latencyNs() +
            number * Math.max((hosts - 1) * Math.max(far.send(segment), far.occupied(segment)),
            call.creditNs(far, number, segment, 0)) + far.latencyNs();
        if (ranks.hosts().largest() > 1)
        {
            final ModelLink near = ranks.near();
            time += (ranks.hosts().largest() - 1) * hosts * number *
                (near.send(segment) + near.sendNs() + 2 * near.receiveNs()) + near.latencyNs();
        }
        return time;
    }

    static double reduceScatter(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final int hosts = ranks.hosts().number();
        final int local = ranks.hosts().largest();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final ModelLink near = ranks.near();
        final ModelLink far = ranks.across(local);
        final double within = (local - 1) * hosts *
            (near.send(segment) + near.receiveNs() + ranks.reduce(segment)) + near.latencyNs();
        final double between = Math.max((hosts - 1) * far.send(segment), (hosts - 1) * far.occupied(segment)) +
            far.latencyNs() + (hosts - 1) * (far.receiveNs() + ranks.reduce(segment));
        // The sum of a block is overwritten a window of groups of blocks later, once its message is acknowledged.
        final double groups = Math.ceil(hosts / (double)HOSTS_PER_GROUP);
        final double acknowledgements = local == 1 || ranks.acknowledgementNs(segment) == 0 ? 0 :
            (Math.ceil(groups / call.window()) - 1) * (far.flight(segment) + far.latencyNs());
        return number * (within + between + acknowledgements);
    }

    static double gather(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final int local = ranks.hosts().largest();
        final ModelLink near = ranks.near();
        final double collect = local == 1 ? 0 :
            Math.max(ranks.copy(segment), near.send(segment) + near.flight(segment)) + (local - 1) * near.receiveNs();
        return number * (collect + fan(ranks, local * segment, true) + ranks.copy(0) +
            ranks.copy((ranks.size() - 1) * segment)) + ranks.copy(call.block());
    }

    static double scatter(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final int local = ranks.hosts().largest();
        final ModelLink near = ranks.near();
        final double passOn = local == 1 ? 0 :
            (local - 1) * near.send(segment) + near.flight(segment) + near.receiveNs();
        return number * (ranks.copy((ranks.size() - 1) * segment) + fan(ranks, local * segment, false) + passOn +
            ranks.copy(segment));
    }

    /** Time of a tree of radix 8 of the hosts' leaders, whose messages have the blocks of a subtree. */
    private static double fan(final ModelledRanks ranks, final double bytesPerHost, final boolean isGathered)
    {
        final ModelLink far = ranks.across(1);
        final int hosts = ranks.hosts().number();
        double time = 0;
        for (long unit = 1; unit < hosts; unit *= RADIX)
        {
            final double children = Math.min(RADIX - 1, Math.ceilDiv(hosts, unit) - 1);
            final double bytes = Math.min(unit, hosts - unit) * bytesPerHost;
            final double occupied = (children - 1) * far.occupied(bytes);
            time += far.flight(bytes) + (isGathered ? far.send(bytes) + occupied + children * far.receiveNs() :
                Math.max(children * far.send(bytes), far.send(bytes) + occupied) + far.receiveNs());
        }
        return time;
    }

    static double alltoall(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        // The hosts with the most ranks have the most blocks, those with the fewest the most exchanges per rank.
        final int local = Math.ceilDiv(ranks.size(), ranks.hosts().number());
        final int others = ranks.hosts().number() - 1;
        final int perHost = Math.max(1, ranks.hosts().smallest() / Math.max(1, others));
        final double own = Math.ceilDiv(others * perHost, local);
        final double destinations = Math.ceilDiv(local, perHost);
        final ModelLink near = ranks.near();
        final ModelLink far = ranks.across(Math.clamp((long)others * perHost, 1, local));
        final boolean isRun = number == 1;
        final double packed = isRun && own == 1 ? 0 : (local - 1) *
            (own * ranks.copy(destinations * segment) + (isRun ? 0 : own * (destinations - 1) * ranks.copy(0)));
        final double collect = packed + (local - 1) *
            (near.send(own * destinations * segment) + near.send(segment) + near.receiveNs()) + near.latencyNs();
        final double sorted = (own * destinations == 1 ? 1 : own * destinations * local) * ranks.copy(segment);
        final double bytes = destinations * local * segment;
        final double kept = (local - 1) * (near.receiveNs() + ranks.copy(segment));
        final double exchange = own * far.send(bytes) +
            Math.max(kept, far.flight(bytes) + (own - 1) * far.occupied(bytes)) + own * far.receiveNs();
        final double passed = own == 1 ? (destinations - 1) * near.send(local * segment) :
            (local - 1) * (own * ranks.copy(local * segment) + near.send(own * local * segment));
        final double delivered = near.latencyNs() + Math.min(others, local) * near.receiveNs() +
            others * ((isRun ? 1 : local) * ranks.copy(0) + ranks.copy(local * segment) - ranks.copy(0));
        return number * (collect + sorted + exchange + passed + delivered) + ranks.copy(call.block());
    }

    static double scan(final ModelledCall call)
    {
        final ModelledRanks ranks = call.ranks();
        final double number = call.segments(call.bytes());
        final double segment = call.bytes() / number;
        final int local = ranks.longestRun();
        final int runs = ranks.runs();
        final ModelLink near = ranks.near();
        final ModelLink far = ranks.across(Math.ceilDiv(runs, ranks.hosts().number()));
        final double reduce = ranks.reduce(segment);
        double between = 0;
        double occupied = 0;
        for (int i = 0; 1 << i < runs; i++)
        {
            occupied += far.occupied(segment);
            // In the last round, only ranks that have waited in all rounds before wait for one that has not.
            between += 2 << i <= runs ? far.message(segment) : far.receiveNs();
        }
        double time = 2 * reduce + ModelledRanks.log2(local) * (near.message(segment) + reduce) +
            ModelledRanks.log2(runs) * reduce;
        for (int unit = 1; unit < local; unit *= SCAN_RADIX)
        {
            final int children = Math.min(SCAN_RADIX - 1, Math.ceilDiv(local, unit) - 1);
            time += children * near.send(segment) + near.flight(segment) + near.receiveNs();
        }
        // A segment takes a credit from the third on, which a rank gives when its own messages are acknowledged.
        final double credit = number > 2 ? far.latencyNs() + ranks.acknowledgementNs(segment) : 0;
        // The first hosts go on with the next segment while the others wait, once their adapters have sent this one.
        return between + time + (number - 1) * Math.max(Math.max(time, occupied), credit);
    }

    static double exscan(final ModelledCall call)
    {
        final ModelLink near = call.ranks().near();
        final double number = call.segments(call.bytes());
        return scan(call) + number * (near.send(call.bytes() / number) + near.receiveNs());
    }
}
