/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.ArrayList;
import java.util.List;

/**
 * What is to be measured.
 *
 * @param cases    cases in order.
 * @param peers    Tutti first.
 * @param rounds   number of rounds, at least 1; each runs all peers.
 * @param minBytes first size.
 * @param maxBytes last size.
 * @param factor   factor from size to size, at least 2.
 */
record SuitePlan(List<Case> cases, List<Peer> peers, int rounds, long minBytes, long maxBytes, int factor)
{
    /** Rounds are repeated while the host moves processors away from each other, so many times as were asked for. */
    private static final int MOST_REPEATED = 3;

    /** Without the cases that Tutti would be alone in. */
    SuitePlan ofSeveral()
    {
        return new SuitePlan(cases.stream().filter(each -> order(each, 0).size() > 1).toList(), peers, rounds,
            minBytes, maxBytes, factor);
    }

    /** How many rounds there are at most. */
    int mostRounds()
    {
        return MOST_REPEATED * rounds;
    }

    /** The peers that do a case, in the order of a round from 0: each is the first in turn. */
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

    /** Runs of all cases, if none is repeated. */
    int runs()
    {
        return cases.stream().mapToInt(each -> rounds * order(each, 0).size()).sum();
    }

    /** The words for sizes and iterations, which all programs understand alike. */
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
