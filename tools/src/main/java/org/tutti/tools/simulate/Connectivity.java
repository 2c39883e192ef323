/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import java.util.Arrays;

/**
 * Maps the outlets of the kept ranks to inboxes, and finds the ranks whose links no other rank uses; see
 * {@link RankProgram} and {@link Simulation} for these terms. Inboxes and connections are numbered consecutively over
 * all ranks. Immutable.
 */
final class Connectivity
{
    private static final int UNUSED = -1;

    private final int[] firstInbox;
    private final int[] firstOutlet;
    private final int[] firstConnection;
    private final int[] targets;
    private final int[] receivers;
    private final boolean[] localConnections;
    private final boolean[] localInboxes;
    private final boolean[] alone;

    Connectivity(final int size, final RankProgram[] programs, final Topology topology)
    {
        final int kept = programs.length;
        firstInbox = new int[kept + 1];
        firstOutlet = new int[kept + 1];
        firstConnection = new int[kept + 1];
        for (int rank = 0; rank < kept; rank++)
        {
            firstInbox[rank + 1] = Math.addExact(firstInbox[rank], programs[rank].shape.inboxChannels.length);
            firstOutlet[rank + 1] = Math.addExact(firstOutlet[rank], programs[rank].shape.outletChannels.length);
            firstConnection[rank + 1] =
                Math.addExact(firstConnection[rank], programs[rank].connectionPeers.length);
        }
        targets = new int[firstOutlet[kept]];
        receivers = new int[firstConnection[kept]];
        localConnections = new boolean[firstConnection[kept]];
        localInboxes = new boolean[firstInbox[kept]];
        for (int rank = 0; rank < kept; rank++)
        {
            connect(size, programs, rank);
            locate(size, programs, rank, topology);
        }
        alone = new boolean[kept];
        findAlone(size, programs, topology);
    }

    /**
     * Connects one rank that represents all others, which do the same with other peers.
     *
     * @param program program of the rank.
     * @param inboxes by outlet: the inbox that it sends to, the same on all receivers.
     * @param isLocal whether all ranks are on one host; else each is on its own.
     */
    Connectivity(final RankProgram program, final int[] inboxes, final boolean isLocal)
    {
        firstInbox = new int[] {0, inboxes.length};
        firstOutlet = new int[] {0, inboxes.length};
        firstConnection = new int[] {0, program.connectionPeers.length};
        targets = inboxes;
        receivers = new int[program.connectionPeers.length];
        localConnections = new boolean[program.connectionPeers.length];
        localInboxes = new boolean[inboxes.length];
        Arrays.fill(localConnections, isLocal);
        Arrays.fill(localInboxes, isLocal);
        alone = new boolean[1];
    }

    int inboxes()
    {
        return firstInbox[firstInbox.length - 1];
    }

    int connections()
    {
        return firstConnection[firstConnection.length - 1];
    }

    int inbox(final int rank, final int index)
    {
        return firstInbox[rank] + index;
    }

    int connection(final int rank, final int index)
    {
        return firstConnection[rank] + index;
    }

    /** The kept rank that represents the receiver of a connection. */
    int receiver(final int connection)
    {
        return receivers[connection];
    }

    /** Whether the receiver of a connection is on the sender's host. */
    boolean isLocal(final int connection)
    {
        return localConnections[connection];
    }

    /** Whether the sender to an inbox is on the receiver's host. */
    boolean isLocalInbox(final int inbox)
    {
        return localInboxes[inbox];
    }

    /** Inbox to which an outlet of a rank sends. */
    int target(final int rank, final int outlet)
    {
        return targets[firstOutlet[rank] + outlet];
    }

    /** Whether no other rank sends bytes over the links that a rank sends over. */
    boolean isAlone(final int rank)
    {
        return alone[rank];
    }

    private void connect(final int size, final RankProgram[] programs, final int rank)
    {
        final RankProgram program = programs[rank];
        final ProgramShape shape = program.shape;
        for (int outlet = 0; outlet < shape.outletChannels.length; outlet++)
        {
            final int distance = program.connectionPeers[shape.outletConnections[outlet]];
            final int channel = shape.outletChannels[outlet];
            final int to = (int)((rank + (long)distance) % size);
            final int receiver = to % programs.length;
            final int inbox = programs[receiver].inbox((size - distance) % size, channel);
            if (inbox < 0)
            {
                throw new IllegalArgumentException("rank " + rank + " sends to rank " + to + " on channel " + channel +
                    ", which has no matching wait: the schedules do not match");
            }
            targets[firstOutlet[rank] + outlet] = firstInbox[receiver] + inbox;
        }
    }

    private void locate(final int size, final RankProgram[] programs, final int rank, final Topology topology)
    {
        final RankProgram program = programs[rank];
        for (int i = 0; i < program.connectionPeers.length; i++)
        {
            final int to = (int)((rank + (long)program.connectionPeers[i]) % size);
            receivers[firstConnection[rank] + i] = to % programs.length;
            localConnections[firstConnection[rank] + i] = topology.isSameHost(rank, to);
        }
        for (int i = 0; i < program.shape.inboxChannels.length; i++)
        {
            final int from = (int)((rank + (long)program.inboxPeer(i)) % size);
            localInboxes[firstInbox[rank] + i] = topology.isSameHost(rank, from);
        }
    }

    private void findAlone(final int size, final RankProgram[] programs, final Topology topology)
    {
        final int[] owner = new int[topology.links()];
        Arrays.fill(owner, UNUSED);
        final boolean[] shared = new boolean[owner.length];
        final Route route = new Route();
        for (int rank = 0; rank < programs.length; rank++)
        {
            for (int connection = 0; connection < programs[rank].connectionPeers.length; connection++)
            {
                if (findRoute(size, programs, rank, connection, topology, route))
                {
                    for (int i = 0; i < route.length; i++)
                    {
                        // The kept link represents the link that this rank uses, which is some rotations ahead: the
                        // rank that uses the kept link itself is as many rotations behind this rank.
                        final int link = route.links[i];
                        final int sender = Math.floorMod(rank - (long)route.blocks[i] * programs.length, size);
                        shared[link] |= owner[link] != UNUSED && owner[link] != sender;
                        owner[link] = sender;
                    }
                }
            }
        }
        for (int rank = 0; rank < programs.length; rank++)
        {
            alone[rank] = true;
            for (int connection = 0; connection < programs[rank].connectionPeers.length; connection++)
            {
                if (findRoute(size, programs, rank, connection, topology, route))
                {
                    for (int i = 0; i < route.length; i++)
                    {
                        alone[rank] &= !shared[route.links[i]];
                    }
                }
            }
        }
    }

    private static boolean findRoute(
        final int size, final RankProgram[] programs, final int rank, final int connection, final Topology topology,
        final Route route)
    {
        final int to = (int)((rank + (long)programs[rank].connectionPeers[connection]) % size);
        if (!programs[rank].shape.carriesBytes[connection] || topology.isSameHost(rank, to))
        {
            return false;
        }
        topology.route(rank, to, route);
        return true;
    }
}
