/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.agrona.collections.Long2LongHashMap;

import java.util.Arrays;

/**
 * The steps of a schedule that take time, with peers as distances modulo the number of ranks, so that ranks that do the
 * same with different peers have equal programs. Immutable by convention: no code writes to its arrays.
 * <p>
 * An <i>outlet</i> is a pair (peer, channel) that the rank sends to, an <i>inbox</i> a pair that the rank waits for;
 * all outlets to a peer form a <i>connection</i>. Only dependencies on PUTs are kept: the engine executes the steps in
 * order, which satisfies all other dependencies.
 */
final class RankProgram
{
    /** Number of inboxes up to which a linear search is as fast as a map, which needs more memory. */
    private static final int FEW = 64;

    final ProgramShape shape;
    /** Distance of the peer, by connection. */
    final int[] connectionPeers;
    /** Distance of the peer, by {@link ProgramShape#inboxSenders}. */
    final int[] senders;

    /** Map of the inboxes; null if they are few. */
    private final Long2LongHashMap manyInboxes;

    RankProgram(final RankProgramBuilder builder)
    {
        this(new ProgramShape(builder), builder.outlets.peers(), builder.inboxes.peers(),
            builder.inboxes.index().size() > FEW ? builder.inboxes.index() : null);
    }

    private RankProgram(
        final ProgramShape shape, final int[] connectionPeers, final int[] senders, final Long2LongHashMap manyInboxes)
    {
        this.shape = shape;
        this.connectionPeers = connectionPeers;
        this.senders = senders;
        this.manyInboxes = manyInboxes;
    }

    /** This program with an equal shape in place of its own, which takes no memory then. */
    RankProgram sharing(final ProgramShape equal)
    {
        return new RankProgram(equal, connectionPeers, senders, manyInboxes);
    }

    int steps()
    {
        return shape.steps();
    }

    /** Distance of the peer of an inbox. */
    int inboxPeer(final int inbox)
    {
        return senders[shape.inboxSenders[inbox]];
    }

    /** Inbox for the distance of a peer and a channel, or -1 if there is none. */
    int inbox(final int peer, final int channel)
    {
        if (manyInboxes != null)
        {
            return (int)manyInboxes.get((long)peer << 32 | channel);
        }
        final int[] channels = shape.inboxChannels;
        for (int i = 0; i < channels.length; i++)
        {
            if (channels[i] == channel && senders[shape.inboxSenders[i]] == peer)
            {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof final RankProgram that && shape.equals(that.shape) &&
            Arrays.equals(connectionPeers, that.connectionPeers) && Arrays.equals(senders, that.senders);
    }

    @Override
    public int hashCode()
    {
        return 31 * (31 * shape.hashCode() + Arrays.hashCode(connectionPeers)) + Arrays.hashCode(senders);
    }
}
