/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.tutti.collectives.schedule.Schedule;

/**
 * The 32 bits of immediate data that every message of the engine carries.
 * <pre>
 *   3                   2                   1                   0
 *   1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0
 *  +-------+---------------+---------------------------------------+
 *  |channel|     round     |              fingerprint              |
 *  +-------+---------------+---------------------------------------+
 *  | READY |           round           |        fingerprint        |
 *  +-------+---------------------------+---------------------------+
 *  |CLOSE  |0|                       calls                         |
 *  +-------+-+-----------------------------------------------------+
 *  |CLOSE  |1|               0: HELLO, 1: WAKE                     |
 *  +-------+-+-----------------------------------------------------+
 * </pre>
 * A <i>round</i> is the number of a call among those that send messages, here modulo 256, or in a READY modulo 16,384:
 * a schedule's message is for one of the few rounds for which the receiver has a slot, a READY may be for any round.
 * The fingerprint is a hash of the sender's call; if it differs from the receiver's, the ranks disagree. The field
 * <i>calls</i> is the number of calls that the sender made before it closed, modulo 2^27. HELLO reports that the
 * sender's side of a new connection is ready; WAKE reports a message in a {@link ReceiveFifo}.
 */
public final class Immediate
{
    /** The channel of CLOSE, the engine's last message to each peer. */
    public static final int CLOSE_CHANNEL = Schedule.CHANNELS;
    /** The channel of READY. */
    public static final int READY_CHANNEL = Schedule.CHANNELS + 1;
    /** The mask of the fingerprint. */
    public static final int FINGERPRINT_MASK = (1 << 20) - 1;
    /** The mask of the bits of a round that are sent. */
    public static final int ROUND_MASK = 0xFF;

    /** The mask of the bits of a round that a READY has: its sender may be many rounds ahead of the receiver. */
    private static final int READY_ROUND_MASK = (1 << 14) - 1;
    private static final int READY_FINGERPRINT_MASK = (1 << 14) - 1;

    private static final int CHANNEL_SHIFT = 28;
    private static final int ROUND_SHIFT = 20;
    private static final int CALLS_BITS = 27;

    /** Reports that a connection is ready. */
    public static final int HELLO = CLOSE_CHANNEL << CHANNEL_SHIFT | 1 << CALLS_BITS;
    /** Wakes a sleeping rank; carries nothing else. */
    public static final int WAKE = HELLO | 1;

    private Immediate()
    {
    }

    public static int of(final int channel, final long round, final int fingerprint)
    {
        return channel << CHANNEL_SHIFT | ((int)round & ROUND_MASK) << ROUND_SHIFT | (fingerprint & FINGERPRINT_MASK);
    }

    /** Returns the immediate data of a READY, with the low 14 bits of the round and of the fingerprint. */
    public static int ofReady(final long round, final int fingerprint)
    {
        return READY_CHANNEL << CHANNEL_SHIFT | ((int)round & READY_ROUND_MASK) << 14 |
            (fingerprint & READY_FINGERPRINT_MASK);
    }

    /** Returns the low bits of the round of a READY. */
    public static int readyRound(final int immediate)
    {
        return immediate >>> 14 & READY_ROUND_MASK;
    }

    /** Returns whether a READY is for a round. */
    public static boolean isReadyFor(final int immediate, final long round)
    {
        return readyRound(immediate) == ((int)round & READY_ROUND_MASK);
    }

    public static int ofClose(final long calls)
    {
        return CLOSE_CHANNEL << CHANNEL_SHIFT | ((int)calls & ((1 << CALLS_BITS) - 1));
    }

    public static int channel(final int immediate)
    {
        return immediate >>> CHANNEL_SHIFT;
    }

    /** Returns whether the message belongs to a round: a step of a schedule, or a READY. */
    static boolean isOfRound(final int immediate)
    {
        return channel(immediate) != CLOSE_CHANNEL;
    }

    public static int round(final int immediate)
    {
        return immediate >>> ROUND_SHIFT & ROUND_MASK;
    }

    public static int fingerprint(final int immediate)
    {
        return immediate & FINGERPRINT_MASK;
    }

    /**
     * Returns the number of calls in a CLOSE.
     *
     * @param immediate immediate data of the message.
     * @param near      number of calls of the receiver, within 2^26 of the result.
     * @return number of calls, from 0.
     */
    public static long calls(final int immediate, final long near)
    {
        final int unused = Integer.SIZE - CALLS_BITS;
        return near + (((immediate - (int)near) << unused) >> unused);
    }
}
