/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.bootstrap.GroupBootstrap;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.endpoint.Creation;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.progress.SetupCollective;
import org.tutti.collectives.pt2pt.MessageSession;
import org.tutti.collectives.wireup.Team;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Creates communicators from an existing one: all its ranks exchange which of the new communicators they join, so that
 * each rank knows the members of its new one.
 */
final class Splitter
{
    /**
     * A rank's contribution to the exchange.
     *
     * @param color colour of the communicator to join; negative for none.
     * @param key   sort key in the new communicator.
     * @param name  name of the new communicator, used if this rank is the first one in it.
     */
    private record Membership(int color, int key, String name)
    {
        private static final int FIXED_LENGTH = 2 * Integer.BYTES;

        static Membership decode(final byte[] bytes)
        {
            final ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return new Membership(buffer.getInt(), buffer.getInt(),
                new String(bytes, FIXED_LENGTH, bytes.length - FIXED_LENGTH, StandardCharsets.UTF_8));
        }

        byte[] encode()
        {
            final byte[] text = name.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(FIXED_LENGTH + text.length).putInt(color).putInt(key).put(text).array();
        }
    }

    private final Session session;
    private final Team team;

    Splitter(final Session session)
    {
        this.session = session;
        team = session.team();
    }

    /**
     * Creates a communicator of all ranks that pass the same colour.
     *
     * @param kind      kind of call.
     * @param ranks     ranks passed by the caller, if any.
     * @param color     colour; negative for none.
     * @param key       sort key of the ranks; ties are ordered by rank.
     * @param timeoutNs timeout of the call in nanoseconds.
     * @return the new communicator, or null if the colour is negative.
     */
    Communicator split(
        final Creation kind, final int[] ranks, final int color, final int key, final long timeoutNs)
    {
        return session.setup().hold(kind.call(ranks), new SetupCollective.Making<Communicator>()
        {
            @Override
            public byte[] contribution()
            {
                return new Membership(color, key, team.context().newName()).encode();
            }

            @Override
            public Communicator make(final List<byte[]> contributions, final long leftNs)
            {
                final List<Membership> memberships = contributions.stream().map(Membership::decode).toList();
                return color < 0 ? null : new EngineCommunicator(
                    new Session(
                        connect(memberships, color, leftNs), session.sessions(), MessageSession::new), timeoutNs);
            }
        }, timeoutNs);
    }

    private Team connect(final List<Membership> memberships, final int color, final long timeoutNs)
    {
        final int[] members = IntStream.range(0, memberships.size())
            .filter(rank -> memberships.get(rank).color == color).boxed()
            .sorted(Comparator.comparingInt(rank -> memberships.get(rank).key)).mapToInt(Integer::intValue).toArray();
        return Team.connect(team.context(),
            GroupBootstrap.of(team.bootstrap(), memberships.get(members[0]).name, members), timeoutNs);
    }
}
