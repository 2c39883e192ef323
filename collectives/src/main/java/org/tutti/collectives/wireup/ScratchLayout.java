/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.agrona.BitUtil;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.endpoint.ReceiveFifo;

/**
 * The layout of SCRATCH, the same on all ranks: a slot for each of the last rounds (calls that send messages), and two
 * halves for the calls that need more than a slot. See docs/adr/0037.
 *
 * @param calls      maximum number of calls in progress.
 * @param slots      number of slots, a power of two.
 * @param slotLength length of a slot in bytes.
 * @param halfLength length of each half in bytes; 0 if there are no halves.
 */
public record ScratchLayout(int calls, int slots, long slotLength, long halfLength)
{
    /** No slots, for a team without calls. */
    static final ScratchLayout NONE = new ScratchLayout(1, 0, 0, 0);

    private static final long MIN_SLOT_LENGTH = 128L << 10;
    private static final long MAX_SLOT_LENGTH = 256L << 10;

    /**
     * Returns the layout of a communicator: twice as many slots as calls may be in progress, each long enough for the
     * algorithms that need SCRATCH for two short messages of each rank, unless there are very many ranks.
     */
    static ScratchLayout of(final EngineConfiguration configuration, final int ranks)
    {
        final long shortMessages = 2L * ranks * ReceiveFifo.MAX_PAYLOAD;
        final int calls = configuration.callsInProgress();
        return new ScratchLayout(calls, 2 * BitUtil.findNextPositivePowerOfTwo(calls),
            Math.clamp(shortMessages, MIN_SLOT_LENGTH, MAX_SLOT_LENGTH), configuration.scratchBytes());
    }

    /** Returns the length of SCRATCH in bytes. */
    public long length()
    {
        return slots * slotLength + 2 * halfLength;
    }

    /** Returns the maximum length that a call may use, in bytes. */
    public long longest()
    {
        return Math.max(slotLength, halfLength);
    }

    /** Returns the index of a round's slot. */
    public int index(final long round)
    {
        return (int)round & (slots - 1);
    }

    /** Returns the offset of a round's slot in bytes. */
    public long slot(final long round)
    {
        return index(round) * slotLength;
    }

    /**
     * Returns the offset of a half in bytes.
     *
     * @param number number of the call among those that need a half.
     */
    public long half(final long number)
    {
        return slots * slotLength + (number & 1) * halfLength;
    }
}
