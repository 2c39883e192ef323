/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.agrona.UnsafeApi;

/**
 * The layout of an inbox, the memory into which one peer writes its messages for this rank.
 * <pre>
 *  offset  bytes  field
 *       0      8  freed: position in the ring up to which the peer has taken this rank's messages
 *       8      8  taken: number of this rank's messages that the peer has taken
 *      16      8  matched: number of units of this rank's eager messages that receives of the peer have matched
 *      64  65536  ring of messages ({@link ByteRing}), each a {@link MessageHeader} and its data
 * </pre>
 * The first three fields are the <i>credits</i> that the peer gives this rank for messages in the opposite direction.
 */
final class MessageInbox
{
    /** Length of the credits in bytes. */
    static final int CREDITS_LENGTH = 24;
    static final int RING_OFFSET = 64;
    static final int LENGTH = RING_OFFSET + ByteRing.LENGTH;
    /** Maximum length of the data of an eager message in bytes. */
    static final int MAX_EAGER = 4 << 10;
    /**
     * The number of units of eager messages that may be sent and not matched: the receiver keeps a copy of each. A send
     * beyond that is a rendezvous, of which the receiver keeps the envelope only.
     */
    static final int MAX_UNMATCHED = ByteRing.LENGTH / ByteRing.UNIT;

    private MessageInbox()
    {
    }

    static void encodeCredits(final long address, final long freed, final long taken, final long matched)
    {
        UnsafeApi.putLong(address, freed);
        UnsafeApi.putLong(address + 8, taken);
        UnsafeApi.putLong(address + 16, matched);
    }

    static long freed(final long inbox)
    {
        return UnsafeApi.getLong(inbox);
    }

    static long taken(final long inbox)
    {
        return UnsafeApi.getLong(inbox + 8);
    }

    static long matched(final long inbox)
    {
        return UnsafeApi.getLong(inbox + 16);
    }
}
