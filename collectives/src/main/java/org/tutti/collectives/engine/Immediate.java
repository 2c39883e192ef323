/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

/**
 * The 32 bits of immediate data that every message of the engine carries.
 * <pre>
 *   3                   2                   1                   0
 *   1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0
 *  +-------+---------------+---------------------------------------+
 *  |channel|   sequence    |              fingerprint              |
 *  +-------+---------------+---------------------------------------+
 * </pre>
 * The sequence is the call's number modulo 256: a schedule's message is for the receiver's current call or the one
 * after it. The fingerprint is a hash of what the sender called; where it differs from the receiver's own, the ranks
 * disagree.
 */
final class Immediate
{
    /** The channel of the engine's own READY messages, which no schedule uses. */
    static final int READY_CHANNEL = 15;
    /** How many bits a fingerprint has. */
    static final int FINGERPRINT_MASK = (1 << 20) - 1;
    /** How many bits of a call's number are sent. */
    static final int SEQUENCE_MASK = 0xFF;

    private Immediate()
    {
    }

    static int of(final int channel, final long sequence, final int fingerprint)
    {
        return channel << 28 | ((int)sequence & SEQUENCE_MASK) << 20 | (fingerprint & FINGERPRINT_MASK);
    }

    static int channel(final int immediate)
    {
        return immediate >>> 28;
    }

    static int sequence(final int immediate)
    {
        return immediate >>> 20 & SEQUENCE_MASK;
    }

    static int fingerprint(final int immediate)
    {
        return immediate & FINGERPRINT_MASK;
    }
}
