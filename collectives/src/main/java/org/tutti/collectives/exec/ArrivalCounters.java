/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.endpoint.Immediate;
import org.tutti.collectives.endpoint.ReceiveFifo;

/**
 * Counts messages that have arrived from peers and were not waited for yet. Messages of schedules are for this round or
 * the next: messages of a peer that is further ahead stay in the {@link ReceiveFifo} until their round. A READY that
 * was sent over a queue pair may be for any later round, but a peer that has sent one waits for the answer before it
 * sends another. See docs/adr/0003. Not thread-safe; allocates nothing.
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
     * Adds a message of a schedule.
     *
     * @param length length of the block that it carries or announces, in bytes, if any.
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
     * Removes one message.
     *
     * @return fingerprint of the message; all messages of a peer for one round have the same.
     */
    int take(final long round, final int peer, final int channel)
    {
        final int parity = (int)round & 1;
        final int index = peer * CHANNELS + channel;
        counts[parity][index]--;
        pending[parity]--;
        return fingerprints[parity][index];
    }

    /** Returns the length of the block that the last message taken on a channel carried or announced. */
    long length(final long round, final int peer, final int channel)
    {
        return lengths[(int)round & 1][peer * CHANNELS + channel];
    }

    /**
     * Adds a READY.
     *
     * @param immediate immediate data of the message; not 0, as its channel is not 0.
     * @return false if the peer already has a READY pending, which is impossible while ranks agree.
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
     * Removes the READY of a peer.
     *
     * @return immediate of the READY.
     */
    int takeReady(final int peer)
    {
        final int immediate = readies[peer];
        readies[peer] = 0;
        readyCount--;
        return immediate;
    }

    /**
     * Finds a peer with a pending message for a round that has another fingerprint.
     *
     * @return first such rank, or -1.
     */
    int disagreeing(final long round, final int fingerprint)
    {
        final int parity = (int)round & 1;
        return pending[parity] == 0 && readyCount == 0 ? -1 : find(round, fingerprint);
    }

    /**
     * Finds a peer with a pending message for a round. If there is one when the round ends, ranks disagree about the
     * call.
     *
     * @return first such rank, or -1.
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
