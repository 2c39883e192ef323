/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.ArrayList;
import java.util.List;

/**
 * Plan of the measurements.
 *
 * @param cases    cases in order.
 * @param peers    programs to compare, Tutti first.
 * @param rounds   number of rounds, at least 1; each runs all peers.
 * @param minBytes first size.
 * @param maxBytes last size.
 * @param factor   factor from size to size, at least 2.
 */
record SuitePlan(List<Case> cases, List<Peer> peers, int rounds, long minBytes, long maxBytes, int factor)
{
    /** Rounds may be repeated, up to this multiple of the requested number, while core-to-core latency varies. */
    private static final int MOST_REPEATED = 3;

    /** The plan without the cases that only Tutti supports. */
    SuitePlan ofSeveral()
    {
        return new SuitePlan(cases.stream().filter(each -> order(each, 0).size() > 1).toList(), peers, rounds,
            minBytes, maxBytes, factor);
    }

    /** Maximum number of rounds. */
    int mostRounds()
    {
        return MOST_REPEATED * rounds;
    }

    /**
     * Peers that support a case, in the order in which a round runs them; rounds count from 0, and each begins with the
     * next peer.
     */
    List<Peer> order(final Case of, final int round)
    {
        final List<Peer> all = peers.stream().filter(each -> each.takes(of)).toList();
        final List<Peer> order = new ArrayList<>();
        for (int i = 0; i < all.size(); i++)
        {
            order.add(all.get((i + round) % all.size()));
        }
        return order;
    }

    /** Number of runs of all cases, if none is repeated. */
    int runs()
    {
        return cases.stream().mapToInt(each -> rounds * order(each, 0).size()).sum();
    }

    /** Options for sizes and iterations, which all programs understand alike. */
    List<String> sizes(final Case of)
    {
        final List<String> words = new ArrayList<>();
        if (of.hasSizes() && !of.isCold())
        {
            final long first = of.first(minBytes);
            words.addAll(List.of("-b", Long.toString(first), "-e", Long.toString(Math.max(first, maxBytes)),
                "-f", Integer.toString(factor)));
        }
        if (!of.options().isEmpty())
        {
            words.addAll(List.of(of.options().split(" ", -1)));
        }
        return words;
    }
}
