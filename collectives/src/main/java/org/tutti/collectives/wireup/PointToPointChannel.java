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
public record PointToPointChannel(Team parent, int sender, int receiver)
{
    /** Room for what goes through SCRATCH, which is short. */
    static final long SCRATCH_HALF = 32L << 10;
    static final String RULE =
        "what one rank sends, the other must receive with the same type and count, in the same order";
    /** What does not depend on the settings of collectives: all ends of links do the same. */
    public static final String ALGORITHMS = "broadcast:0-16k:binomial,16k-:chain";

    /** The store in which both ends meet. */
    Bootstrap bootstrap()
    {
        final String context = parent.bootstrap() instanceof final GroupBootstrap group ? group.name() : "";
        return GroupBootstrap.of(
            parent.bootstrap(), context + '>' + sender + '-' + receiver, new int[] {sender, receiver});
    }

    /** By rank of the link. */
    String[] names()
    {
        return new String[] {parent.name(sender), parent.name(receiver)};
    }

    int callersRank(final int rank)
    {
        return rank == 0 ? sender : receiver;
    }

    /** What a rank of the link called. */
    String words(final int rank, final CallDescription call)
    {
        return (rank == 0 ? "send(" : "recv(") + call.count() + " × " + call.type() +
            (rank == 0 ? ", to rank " + receiver : ", from rank " + sender) + ')';
    }

    /** Whether a rank of the link has closed the communicator. */
    boolean isLeft(final int rank)
    {
        final ControlBlock block = parent.board().latest(callersRank(rank));
        return block != null && block.closed() >= 0;
    }
}
