/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import org.tutti.collectives.pattern.FoldedRanks;
import org.tutti.collectives.pattern.HostExchanges;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.pattern.HostRuns;

import java.util.Arrays;

/**
 * The ranks of a call with the links of the usual patterns: to a rank at a distance that is a power of two, around a
 * ring or by an exchange of pairs. A step takes as long as its slowest link, so each pattern has one link per distance.
 * Immutable but for a cached number. Computing it takes a time of n log n, once per communicator; its methods take a
 * time that does not depend on n, as they run for each new kind of call.
 */
final class ModelledRanks
{
    private final int size;
    private final HostMap hosts;
    private final int runs;
    private final int longestRun;
    private final CostModel model;
    private final CoreSharing cores;
    private final ModelLink near;
    private final ModelLink[] shifts;
    private final ModelLink[] exchanges;
    private final TreeLinks binomial;
    private final TreeLinks fourNomial;
    private final TreeLinks binary;
    private final double crossing;
    /** 0 until it is computed; all threads compute the same. */
    private volatile long exchangeSlots;

    /** All distances have the same link, as all ranks are on one host, or each host has one. */
    private ModelledRanks(
        final HostMap hosts, final CostModel model, final CoreSharing cores, final ModelLink link,
        final double crossing)
    {
        size = hosts.size();
        this.hosts = hosts;
        // Each host has one run. Counting runs would take a time of n, and a new kind of call creates such ranks.
        runs = hosts.number();
        longestRun = hosts.largest();
        this.model = model;
        this.cores = cores;
        this.crossing = crossing;
        near = link;
        shifts = new ModelLink[Math.max(1, log2(size))];
        Arrays.fill(shifts, link);
        exchanges = shifts;
        binomial = TreeLinks.same(link);
        fourNomial = binomial;
        binary = binomial;
    }

    private ModelledRanks(final HostMap hosts, final CostModel model, final CoreSharing cores)
    {
        size = hosts.size();
        this.hosts = hosts;
        final HostRuns found = new HostRuns(hosts);
        runs = found.number();
        longestRun = found.longest();
        this.model = model;
        this.cores = cores;
        near = ModelLink.withinHost(model, cores);
        final int rounds = Math.max(1, log2(size));
        shifts = new ModelLink[rounds];
        exchanges = new ModelLink[rounds];
        binomial = TreeLinks.knomial(hosts, 2, this::link);
        fourNomial = TreeLinks.knomial(hosts, 4, this::link);
        binary = TreeLinks.binary(hosts, this::link);
        final FoldedRanks folded = new FoldedRanks(size);
        final int[] senders = new int[hosts.number()];
        int next = 0;
        for (int i = 0; i < rounds; i++)
        {
            final int distance = 1 << i;
            for (int rank = 0; rank < size; rank++)
            {
                send(senders, rank, (rank + distance) % size);
            }
            next += i == 0 ? Arrays.stream(senders).sum() : 0;
            shifts[i] = link(senders);
            for (int rank = 0; i < folded.rounds() && rank < size; rank++)
            {
                send(senders, rank,
                    folded.isExtra(rank) ? rank : folded.rank(folded.foldedRank(rank) ^ distance));
            }
            exchanges[i] = link(senders);
        }
        crossing = (double)next / size;
    }

    static ModelledRanks of(final HostMap hosts, final CostModel model)
    {
        return of(hosts, model, CoreSharing.of(model, hosts.largest()));
    }

    private static ModelledRanks of(final HostMap hosts, final CostModel model, final CoreSharing cores)
    {
        return hosts.number() == 1 ?
            new ModelledRanks(hosts, model, cores, ModelLink.withinHost(model, cores), 0) :
            new ModelledRanks(hosts, model, cores);
    }

    private void send(final int[] senders, final int from, final int to)
    {
        final int host = hosts.host(from);
        senders[host] += hosts.host(to) == host ? 0 : 1;
    }

    /** Link while these numbers of ranks of each host send to other hosts; clears the numbers. */
    private ModelLink link(final int[] senders)
    {
        final int most = Arrays.stream(senders).max().orElse(0);
        Arrays.fill(senders, 0);
        return link(most);
    }

    /** Link while a host has this number of messages to other hosts. */
    private ModelLink link(final int most)
    {
        return most == 0 ? near : across(most);
    }

    /** The ranks of the largest host. */
    ModelledRanks withinHost()
    {
        return of(HostMap.one(hosts.largest()), model, cores);
    }

    /** One rank of each host, while {@code sharing} ranks of each host do the same. */
    ModelledRanks betweenHosts(final int sharing)
    {
        return new ModelledRanks(HostMap.inOrder(hosts.number(), 1), model, cores, across(sharing), 1);
    }

    int size()
    {
        return size;
    }

    HostMap hosts()
    {
        return hosts;
    }

    /** Number of ranges of consecutive ranks of one host. */
    int runs()
    {
        return runs;
    }

    /** Length of the longest range of consecutive ranks of one host. */
    int longestRun()
    {
        return longestRun;
    }

    /** Number of blocks for which a rank needs memory in a hierarchical alltoall. */
    long exchangeSlots()
    {
        long slots = exchangeSlots;
        if (slots == 0)
        {
            slots = new HostExchanges(hosts).slots();
            exchangeSlots = slots;
        }
        return slots;
    }

    CostModel model()
    {
        return model;
    }

    /** Number of rounds in which a distance that doubles in each reaches all ranks. */
    int rounds()
    {
        return log2(size);
    }

    /** Messages in sequence from rank 0 to the deepest rank of a binomial tree. */
    int depth()
    {
        return 31 - Integer.numberOfLeadingZeros(size);
    }

    FoldedRanks folded()
    {
        return new FoldedRanks(size);
    }

    /** Link within a host. */
    ModelLink near()
    {
        return near;
    }

    /** Link to the rank at distance {@code 2^i}. */
    ModelLink shift(final int i)
    {
        return shifts[Math.min(i, shifts.length - 1)];
    }

    /** Link to the rank whose folded number differs in bit i. */
    ModelLink exchange(final int i)
    {
        return exchanges[Math.min(i, exchanges.length - 1)];
    }

    /** Link of the edges of length {@code 2^i} of a binomial tree. */
    ModelLink edge(final int i)
    {
        return binomial.link(i, 1);
    }

    /** Links of a k-nomial tree, where k is 2 or 4. */
    TreeLinks knomial(final int degree)
    {
        return degree == 2 ? binomial : fourNomial;
    }

    /** Links of the two binary trees of a pair. */
    TreeLinks binary()
    {
        return binary;
    }

    /** Slowest link while all ranks send to arbitrary ranks. */
    ModelLink far()
    {
        return hosts.number() == 1 ? near : across(hosts.largest());
    }

    /** Link between hosts while as many ranks of a host as given send over its adapter. */
    ModelLink across(final int sharing)
    {
        return ModelLink.betweenHosts(model, cores, sharing);
    }

    /** Number of a rank's peers on other hosts. */
    int farPeers()
    {
        return size - hosts.largest();
    }

    /** Whether some rank's next rank is on its host. */
    boolean hasNear()
    {
        return crossing < 1;
    }

    /** Share of the ranks whose next rank is on another host. */
    double crossing()
    {
        return crossing;
    }

    /**
     * Time from the arrival of a message between hosts until its acknowledgement, before which the sender can neither
     * reuse the source nor end the call; 0 if the sender has copied the message.
     */
    double acknowledgementNs(final double bytes)
    {
        return hosts.number() == 1 || bytes <= model.inlineBytes() ? 0 : model.network().latencyNs();
    }

    double reduce(final double bytes)
    {
        return cores.factor() * (model.localNs() + bytes * model.reduceNsPerByte());
    }

    double copy(final double bytes)
    {
        return cores.factor() * (model.localNs() + bytes * model.copyNsPerByte());
    }

    /** Smallest i with {@code 2^i >= number}. */
    static int log2(final int number)
    {
        return number <= 1 ? 0 : 32 - Integer.numberOfLeadingZeros(number - 1);
    }
}
