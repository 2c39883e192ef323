/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

/**
 * The limits that begin the private data of an enhanced MPA frame (RFC 6581, section 4): two 16-bit fields of two
 * control bits and a number of reads each. The control bits negotiate the message by which the connecting side ends the
 * silence of the accepting one.
 *
 * @param ird 0x8000 if the sender asks for such a message, and the number of the peer's reads that it answers at once.
 * @param ord 0x8000 if the message may be an empty WRITE, 0x4000 if it may be an empty READ, and the number of reads
 *            that the sender starts at once.
 */
public record ReadLimits(int ird, int ord)
{
    /** Length in bytes. */
    public static final int SIZE = 4;
    /** The maximum of both numbers. */
    public static final int MAX = 0x3FFF;
    /** The maximum limits. */
    public static final ReadLimits MAXIMUM = new ReadLimits(MAX, MAX);

    private static final int PEER_TO_PEER = 0x8000;
    private static final int EMPTY_WRITE = 0x8000;
    private static final int EMPTY_READ = 0x4000;

    /**
     * The number of reads that the sender answers at once.
     *
     * @return from 0 to {@link #MAX}.
     */
    public int answered()
    {
        return ird & MAX;
    }

    /**
     * The limits of a reply to these: no more than both sides permit. A side that answers reads at all answers any
     * number of them, so its reply accepts all that the peer starts.
     *
     * @param own limits of the replying side.
     * @return the limits, with the control bits of a message that the peer proposed.
     */
    public ReadLimits reply(final ReadLimits own)
    {
        final int proposed = (ird & PEER_TO_PEER) == 0 ? 0 : ord & (EMPTY_WRITE | EMPTY_READ);
        return new ReadLimits((proposed == 0 ? 0 : PEER_TO_PEER) | (own.answered() == 0 ? 0 : ord & MAX),
            Integer.highestOneBit(proposed) | Math.min(own.ord & MAX, answered()));
    }
}
