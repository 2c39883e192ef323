/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * Division of the exchange between every two hosts into messages, and of the messages among the ranks of a host: one
 * message per pair of hosts and direction, or several if there are fewer hosts than ranks per host, so that most ranks
 * of a host have one; if there are more hosts, a rank has several. All ranks have about the same number of messages,
 * and at most one with each host. Immutable.
 *
 * @param hosts placement of the ranks.
 */
public record HostExchanges(HostMap hosts)
{
    /**
     * Returns the exchanges of a rank.
     *
     * @param host  host of the rank.
     * @param index index of the rank on its host.
     * @return exchanges, the one with the next host first.
     */
    public List<HostExchange> of(final int host, final int index)
    {
        final List<HostExchange> exchanges = new ArrayList<>();
        final int number = hosts.number();
        final int ranks = hosts.ranks(host);
        final int perHost = perHost();
        for (int task = index; task < (number - 1) * perHost; task += ranks)
        {
            final int distance = 1 + task / perHost;
            final int share = task % perHost;
            final int other = (host + distance) % number;
            final int others = hosts.ranks(other);
            exchanges.add(new HostExchange(
                other, hosts.rank(other, ((number - distance - 1) * perHost + share) % others),
                bound(others, share), bound(others, share + 1), bound(ranks, share), bound(ranks, share + 1)));
        }
        return exchanges;
    }

    /**
     * Returns the maximum number of blocks that a rank receives, in all messages together, from the ranks of its host
     * for other hosts.
     *
     * @return number of blocks, from 0.
     */
    public long mostSent()
    {
        return most((ranks) -> (long)ranks * Math.ceilDiv(hosts.largest(), perHost()));
    }

    /**
     * Returns the maximum number of blocks that a rank receives, in all messages together, from other hosts.
     *
     * @return number of blocks, from 0.
     */
    public long mostReceived()
    {
        return most((ranks) -> (long)Math.ceilDiv(ranks, perHost()) * hosts.largest());
    }

    /**
     * Returns the number of blocks for which a rank needs memory: those that it sends to ranks of its host, those that
     * it collects, before and after sorting, those that it receives from other hosts, and those that it gets.
     *
     * @return number of blocks, the same for all ranks.
     */
    public long slots()
    {
        return 2L * hosts.size() + Math.max(mostSent(), mostReceived()) + mostSent() + mostReceived();
    }

    private long most(final IntToLongFunction blocksPerTask)
    {
        return IntStream.range(0, hosts.number()).map(hosts::ranks).distinct()
            .mapToLong((ranks) -> Math.ceilDiv((hosts.number() - 1) * perHost(), ranks) *
            blocksPerTask.applyAsLong(ranks)).max().orElse(0);
    }

    /** Number of messages from a host to another. */
    private int perHost()
    {
        return hosts.number() == 1 ? 1 : Math.max(1, hosts.smallest() / (hosts.number() - 1));
    }

    private int bound(final int ranks, final int share)
    {
        return (int)((long)ranks * share / perHost());
    }
}
