/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Long2LongHashMap;

import java.util.Arrays;

/** Assigns consecutive numbers to (peer, channel) pairs, and to peers, in the order of first use. */
final class PeerChannels
{
    private static final int NONE = -1;

    private final Long2LongHashMap entries = new Long2LongHashMap(NONE);
    private final Int2IntHashMap connectionOf = new Int2IntHashMap(NONE);
    private int[] connections = new int[4];
    private int[] channels = new int[4];

    int entry(final int peer, final int channel)
    {
        final long key = (long)peer << 32 | channel;
        final long known = entries.get(key);
        if (known != NONE)
        {
            return (int)known;
        }
        final int entry = entries.size();
        if (entry == channels.length)
        {
            channels = Arrays.copyOf(channels, 2 * entry);
            connections = Arrays.copyOf(connections, 2 * entry);
        }
        int connection = connectionOf.get(peer);
        if (connection == NONE)
        {
            connection = connectionOf.size();
            connectionOf.put(peer, connection);
        }
        channels[entry] = channel;
        connections[entry] = connection;
        entries.put(key, entry);
        return entry;
    }

    /** Map from {@code peer << 32 | channel} to the number of the pair; -1 for missing pairs. */
    Long2LongHashMap index()
    {
        return entries;
    }

    int[] connections()
    {
        return Arrays.copyOf(connections, entries.size());
    }

    int[] channels()
    {
        return Arrays.copyOf(channels, entries.size());
    }

    int[] peers()
    {
        final int[] peers = new int[connectionOf.size()];
        connectionOf.forEachInt((peer, connection) -> peers[connection] = peer);
        return peers;
    }

    int peerCount()
    {
        return connectionOf.size();
    }
}
