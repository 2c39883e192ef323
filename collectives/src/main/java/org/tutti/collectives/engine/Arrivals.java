/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

/**
 * What has arrived from peers and was not yet waited for. Messages of schedules are for this call or the next, since a
 * peer is at most one call ahead of a rank that it sends to. A READY may be for any later call, but a peer that has
 * sent one waits for the answer before it sends another. See docs/adr/0003. Not thread-safe; allocates nothing.
 */
final class Arrivals
{
    private static final int CHANNELS = 16;

    private final int[][] counts;
    private final int[][] fingerprints;
    private final int[] readies;

    Arrivals(final int ranks)
    {
        counts = new int[2][ranks * CHANNELS];
        fingerprints = new int[2][ranks * CHANNELS];
        readies = new int[ranks];
    }

    /** A message of a schedule came. */
    void add(final long sequence, final int peer, final int channel, final int fingerprint)
    {
        final int parity = (int)sequence & 1;
        final int index = peer * CHANNELS + channel;
        counts[parity][index]++;
        fingerprints[parity][index] = fingerprint;
    }

    boolean has(final long sequence, final int peer, final int channel)
    {
        return counts[(int)sequence & 1][peer * CHANNELS + channel] > 0;
    }

    /**
     * Takes one message away.
     *
     * @return the fingerprint that the peer sent last on the channel.
     */
    int take(final long sequence, final int peer, final int channel)
    {
        final int parity = (int)sequence & 1;
        final int index = peer * CHANNELS + channel;
        counts[parity][index]--;
        return fingerprints[parity][index];
    }

    /** A READY came; its channel bits, which are not 0, mark that there is one. */
    void addReady(final int peer, final int immediate)
    {
        readies[peer] = immediate;
    }

    boolean hasReady(final int peer)
    {
        return readies[peer] != 0;
    }

    /**
     * Takes the READY away.
     *
     * @return the fingerprint that came with it.
     */
    int takeReady(final int peer)
    {
        final int immediate = readies[peer];
        readies[peer] = 0;
        return Immediate.fingerprint(immediate);
    }

    /**
     * A peer that has sent something for a call with another fingerprint.
     *
     * @return the first such rank, or -1.
     */
    int disagreeing(final long sequence, final int fingerprint)
    {
        final int parity = (int)sequence & 1;
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
            if (ready != 0 && Immediate.sequence(ready) == ((int)sequence & Immediate.SEQUENCE_MASK) &&
                Immediate.fingerprint(ready) != fingerprint)
            {
                return peer;
            }
        }
        return -1;
    }
}
