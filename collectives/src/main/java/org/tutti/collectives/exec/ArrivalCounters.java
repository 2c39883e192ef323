/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.endpoint.Immediate;
import org.tutti.collectives.schedule.Schedule;

/**
 * Counts messages that have arrived from peers and that no WAIT step has taken yet, by slot: the round of the message
 * modulo the number of slots. A round is the number of a call among those that send messages. Not thread-safe;
 * allocates nothing after construction.
 */
final class ArrivalCounters
{
    private static final int CHANNELS = 16;
    /** Equal to no fingerprint. */
    private static final int NO_FINGERPRINT = -1;
    /** Increment of a counter, whose count is in the bits above those of the fingerprint. */
    private static final int ONE = Immediate.FINGERPRINT_MASK + 1;

    private final int slots;
    /** By slot, peer and channel: the number of messages, and in the low bits the fingerprint of the last one. */
    private final int[][] counters;
    /** By slot and peer: the length of the block that the peer's first message of the round carried or announced. */
    private final long[][] lengths;
    private final int[] pending;
    /**
     * By slot and peer: the immediate data of READY, which is never 0 because its channel is not; 0 if none is pending.
     */
    private final int[][] readies;
    private final int[] readyCounts;

    /**
     * Creates counters without messages.
     *
     * @param ranks number of ranks.
     * @param slots number of slots, a power of two.
     */
    ArrivalCounters(final int ranks, final int slots)
    {
        this.slots = slots;
        counters = new int[slots][ranks * CHANNELS];
        lengths = new long[slots][ranks];
        pending = new int[slots];
        readies = new int[slots][ranks];
        readyCounts = new int[slots];
    }

    private int slot(final long round)
    {
        return (int)round & (slots - 1);
    }

    /**
     * Adds a message of a schedule.
     *
     * @param length length of the block that the message carries or announces, in bytes, if any.
     */
    void add(final long round, final int peer, final int channel, final int fingerprint, final long length)
    {
        final int slot = slot(round);
        final int index = peer * CHANNELS + channel;
        final int counter = counters[slot][index];
        counters[slot][index] = (counter & -ONE) + ONE | fingerprint;
        pending[slot]++;
        if (channel == Schedule.EAGER_CHANNEL)
        {
            lengths[slot][peer] = length;
        }
    }

    boolean has(final long round, final int peer, final int channel)
    {
        return counters[slot(round)][peer * CHANNELS + channel] >= ONE;
    }

    /**
     * Removes one message.
     *
     * @return fingerprint of the message; all messages of a peer for one round have the same.
     */
    int take(final long round, final int peer, final int channel)
    {
        final int slot = slot(round);
        final int index = peer * CHANNELS + channel;
        pending[slot]--;
        return (counters[slot][index] -= ONE) & Immediate.FINGERPRINT_MASK;
    }

    /** Returns the length of the block that the peer's message on the channel of eager blocks carried or announced. */
    long length(final long round, final int peer)
    {
        return lengths[slot(round)][peer];
    }

    /**
     * Adds a READY. It may be for a round far ahead of this rank's, but a peer that has sent READY cannot complete that
     * round before this rank has begun it; so all pending READYs of one peer are for different slots.
     *
     * @param immediate immediate data of the message.
     * @return false if the peer already has a READY pending in the slot, which is impossible while ranks agree.
     */
    boolean addReady(final int peer, final int immediate)
    {
        final int slot = slot(Immediate.readyRound(immediate));
        if (readies[slot][peer] != 0)
        {
            return false;
        }
        readies[slot][peer] = immediate;
        readyCounts[slot]++;
        return true;
    }

    boolean hasReady(final long round, final int peer)
    {
        return readies[slot(round)][peer] != 0;
    }

    /**
     * Removes the READY of a peer.
     *
     * @return immediate of the READY.
     */
    int takeReady(final long round, final int peer)
    {
        final int slot = slot(round);
        final int immediate = readies[slot][peer];
        readies[slot][peer] = 0;
        readyCounts[slot]--;
        return immediate;
    }

    /**
     * Finds a peer that has a pending message for a given round with a fingerprint other than the given one.
     *
     * @return first such rank, or -1.
     */
    int disagreeing(final long round, final int fingerprint)
    {
        final int slot = slot(round);
        return pending[slot] == 0 && readyCounts[slot] == 0 ? -1 : find(round, fingerprint);
    }

    /**
     * Finds a peer with a pending message for a round. If there is such a peer when the round ends, ranks disagree
     * about the call.
     *
     * @return first such rank, or -1.
     */
    int unawaited(final long round)
    {
        return disagreeing(round, NO_FINGERPRINT);
    }

    /** Returns a peer with a pending message for any round, or -1. */
    int unawaited()
    {
        for (int slot = 0; slot < slots; slot++)
        {
            for (int peer = 0; peer < readies[slot].length && pending[slot] + readyCounts[slot] > 0; peer++)
            {
                if (readies[slot][peer] != 0 || hasMessage(slot, peer))
                {
                    return peer;
                }
            }
        }
        return -1;
    }

    private boolean hasMessage(final int slot, final int peer)
    {
        boolean hasMessage = false;
        for (int index = peer * CHANNELS; index < (peer + 1) * CHANNELS; index++)
        {
            hasMessage |= counters[slot][index] >= ONE;
        }
        return hasMessage;
    }

    private int find(final long round, final int fingerprint)
    {
        final int slot = slot(round);
        final int[] ofSlot = counters[slot];
        for (int i = 0; i < ofSlot.length; i++)
        {
            if (ofSlot[i] >= ONE && (ofSlot[i] & Immediate.FINGERPRINT_MASK) != fingerprint)
            {
                return i / CHANNELS;
            }
        }
        for (int peer = 0; peer < readies[slot].length; peer++)
        {
            final int ready = readies[slot][peer];
            if (ready != 0 && Immediate.isReadyFor(ready, round) &&
                (fingerprint == NO_FINGERPRINT || ready != Immediate.ofReady(round, fingerprint)))
            {
                return peer;
            }
        }
        return -1;
    }
}
