/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.endpoint.Immediate;
import org.tutti.collectives.endpoint.ReceiveFifo;

/**
 * What has arrived from peers and was not yet waited for. Messages of schedules are for this round or the next: a peer
 * that is further ahead has only left messages in a {@link ReceiveFifo}, where they stay until their round. A READY
 * that came by request may be for any later round, but a peer that has sent one waits for the answer before it sends
 * another. See docs/adr/0003. Not thread-safe; allocates nothing.
 */
final class ArrivalCounters
{
    private static final int CHANNELS = 16;
    /** Equal to no fingerprint. */
    private static final int NO_FINGERPRINT = -1;

    private final int[][] counts;
    private final int[][] fingerprints;
    private final long[][] lengths;
    private final int[] pending = new int[2];
    private final int[] readies;
    private int readyCount;

    ArrivalCounters(final int ranks)
    {
        counts = new int[2][ranks * CHANNELS];
        fingerprints = new int[2][ranks * CHANNELS];
        lengths = new long[2][ranks * CHANNELS];
        readies = new int[ranks];
    }

    /**
     * A message of a schedule came.
     *
     * @param length length of the block that it carries or announces, in bytes, if it does.
     */
    void add(final long round, final int peer, final int channel, final int fingerprint, final long length)
    {
        final int parity = (int)round & 1;
        final int index = peer * CHANNELS + channel;
        counts[parity][index]++;
        fingerprints[parity][index] = fingerprint;
        lengths[parity][index] = length;
        pending[parity]++;
    }

    boolean has(final long round, final int peer, final int channel)
    {
        return counts[(int)round & 1][peer * CHANNELS + channel] > 0;
    }

    /**
     * Takes one message away.
     *
     * @return the fingerprint that came with it: all messages of a peer for one round have the same.
     */
    int take(final long round, final int peer, final int channel)
    {
        final int parity = (int)round & 1;
        final int index = peer * CHANNELS + channel;
        counts[parity][index]--;
        pending[parity]--;
        return fingerprints[parity][index];
    }

    /** How long the block is that the message taken last on a channel carried or announced. */
    long length(final long round, final int peer, final int channel)
    {
        return lengths[(int)round & 1][peer * CHANNELS + channel];
    }

    /**
     * A READY came.
     *
     * @param immediate not 0, since its channel is not.
     * @return false if there is one of the peer already, which cannot be while ranks agree.
     */
    boolean addReady(final int peer, final int immediate)
    {
        if (readies[peer] != 0)
        {
            return false;
        }
        readies[peer] = immediate;
        readyCount++;
        return true;
    }

    boolean hasReady(final int peer)
    {
        return readies[peer] != 0;
    }

    /**
     * Takes the READY away.
     *
     * @return its immediate.
     */
    int takeReady(final int peer)
    {
        final int immediate = readies[peer];
        readies[peer] = 0;
        readyCount--;
        return immediate;
    }

    /**
     * A peer that has sent something for a round, not yet waited for, with another fingerprint.
     *
     * @return the first such rank, or -1.
     */
    int disagreeing(final long round, final int fingerprint)
    {
        final int parity = (int)round & 1;
        return pending[parity] == 0 && readyCount == 0 ? -1 : find(round, fingerprint);
    }

    /**
     * A peer that has sent something for a round, not yet waited for. When a round ends there is none, or else ranks
     * disagree about what it was.
     *
     * @return the first such rank, or -1.
     */
    int unawaited(final long round)
    {
        return disagreeing(round, NO_FINGERPRINT);
    }

    private int find(final long round, final int fingerprint)
    {
        final int parity = (int)round & 1;
        for (int i = 0; i < counts[parity].length; i++)
        {
            if (counts[parity][i] > 0 && fingerprints[parity][i] != fingerprint)
            {
                return i / CHANNELS;
            }
        }
        for (int peer = 0; peer < readies.length; peer++)
        {
            final int ready = readies[peer];
            if (ready != 0 && Immediate.round(ready) == ((int)round & Immediate.ROUND_MASK) &&
                Immediate.fingerprint(ready) != fingerprint)
            {
                return peer;
            }
        }
        return -1;
    }
}
