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
 * The way from one rank of a communicator to another one, by which it sends: a communicator of these two, the sender
 * first, in which a send is a broadcast. Errors call its ranks as the communicator does.
 *
 * @param parent   the communicator's end on this rank.
 * @param sender   rank there.
 * @param receiver rank there.
 */
public record PointToPointChannel(Team parent, int sender, int receiver) implements RankTranslation
{
    /** Room for what goes through SCRATCH, which is short. */
    static final long SCRATCH_HALF = 32L << 10;
    /** What does not depend on the settings of collectives: all ends of channels do the same. */
    public static final String ALGORITHMS = "broadcast:0-16k:binomial,16k-:chain";

    /** The store in which both ends meet. */
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
        return "what one rank sends, the other must receive with the same type and count, in the same order";
    }

    @Override
    public boolean isLeft(final int peer)
    {
        final ControlBlock block = parent.board().latest(callersRank(peer));
        return block != null && block.closed() >= 0;
    }
}
