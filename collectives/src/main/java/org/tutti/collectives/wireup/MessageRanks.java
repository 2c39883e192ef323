/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.GroupBootstrap;
import org.tutti.collectives.endpoint.CallDescription;
import org.tutti.collectives.endpoint.ControlBlock;

import java.util.stream.IntStream;

/**
 * The ranks of a communicator's messages: those of the communicator.
 *
 * @param parent team of the communicator on this rank.
 */
record MessageRanks(Team parent) implements RankTranslation
{
    /** Returns the bootstrap of all ranks, with keys of its own. */
    Bootstrap bootstrap()
    {
        final String context = parent.bootstrap() instanceof final GroupBootstrap group ? group.name() : "";
        return GroupBootstrap.of(parent.bootstrap(), context + '>', IntStream.range(0, parent.size()).toArray());
    }

    @Override
    public String[] names()
    {
        return parent.ranks().names();
    }

    @Override
    public int jobRank(final int callersRank)
    {
        return parent.ranks().jobRank(callersRank);
    }

    @Override
    public int member(final int jobRank)
    {
        return parent.ranks().member(jobRank);
    }

    @Override
    public int callersRank(final int rank)
    {
        return rank;
    }

    @Override
    public String describe(final int rank, final CallDescription call)
    {
        return call.toString();
    }

    @Override
    public String rule()
    {
        return "a message must have the type of the receive that it matches, and at most its number of elements";
    }

    @Override
    public boolean isLeft(final int peer)
    {
        final ControlBlock block = parent.board().latest(peer);
        return block != null && block.closed() >= 0;
    }
}
