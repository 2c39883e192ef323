/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.GroupBootstrap;
import org.tutti.collectives.endpoint.CallDescription;
import org.tutti.collectives.endpoint.ControlBlock;

/**
 * A unidirectional channel from one rank of a communicator to another: a communicator of these two, the sender first,
 * in which a send is a broadcast. Errors name the ranks by their numbers in the communicator.
 *
 * @param parent   team of the communicator on this rank.
 * @param sender   sending rank of the communicator.
 * @param receiver receiving rank of the communicator.
 */
public record PointToPointChannel(Team parent, int sender, int receiver) implements RankTranslation
{
    /** The layout of a channel's SCRATCH: one call is in progress at a time, and only short messages use SCRATCH. */
    static final ScratchLayout SCRATCH = new ScratchLayout(1, 2, 32L << 10, 0);
    /** The algorithms of channels, independent of the settings of collectives, so that both sides use the same. */
    public static final String ALGORITHMS = "broadcast:0-16k:binomial,16k-:chain";

    /** Returns the bootstrap of both sides. */
    Bootstrap bootstrap()
    {
        final String context = parent.bootstrap() instanceof final GroupBootstrap group ? group.name() : "";
        return GroupBootstrap.of(
            parent.bootstrap(), context + '>' + sender + '-' + receiver, new int[] {sender, receiver});
    }

    @Override
    public String[] names()
    {
        return new String[] {parent.ranks().name(sender), parent.ranks().name(receiver)};
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
        return rank < 0 ? rank : rank == 0 ? sender : receiver;
    }

    @Override
    public String describe(final int rank, final CallDescription call)
    {
        return (rank == 0 ? "send(" : "recv(") + call.count() + " × " + call.type() +
            (rank == 0 ? ", to rank " + receiver : ", from rank " + sender) + ')';
    }

    @Override
    public String rule()
    {
        return "sends and receives must match in type, count and order";
    }

    @Override
    public boolean isLeft(final int peer)
    {
        final ControlBlock block = parent.board().latest(callersRank(peer));
        return block != null && block.closed() >= 0;
    }
}
