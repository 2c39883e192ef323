/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.agrona.UnsafeApi;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * Where one peer that can store into this rank's memory leaves its messages: a ring of cache lines, written by the peer
 * ({@link Lane}) and read by this rank, each by one thread. A message and what it carries share a line, as in NCCL's LL
 * protocol (Hu et al., <i>Demystifying NCCL</i>, 2025, arXiv:2507.04786), so that one transfer between caches brings
 * both; what is longer is already where it belongs when the line says so. In native byte order.
 * <pre>
 *  offset       bytes  field
 *       0           8  taken: how many messages the reader has taken, now and then; the writer reads it when the ring
 *                      seems full
 *      64           4  asleep: 1 when the reader goes to sleep; who writes a message then wakes it, and stores 0
 *      68           4  gave up: 1 once the reader has given up a call, whose memory its caller may use again
 *     128     64 × 64  messages, by number modulo 64: +0 8 number, from 1, written last; +8 4 immediate; +12 4 length
 *                      of what it carries, from 0 to 40; +16 8 where that goes, in the reader; +24 40 what it carries
 * </pre>
 * Not thread-safe; allocates nothing.
 */
final class Mailbox
{
    static final int TAKEN_OFFSET = 0;
    static final int ASLEEP_OFFSET = 64;
    static final int GAVE_UP_OFFSET = 68;
    static final int SLOTS_OFFSET = 128;
    static final int SLOT_SIZE = 64;
    static final int SLOTS = 64;
    static final int LENGTH = SLOTS_OFFSET + SLOTS * SLOT_SIZE;

    static final int IMMEDIATE_OFFSET = 8;
    static final int LENGTH_OFFSET = 12;
    static final int DESTINATION_OFFSET = 16;
    static final int PAYLOAD_OFFSET = 24;
    static final int MAX_PAYLOAD = SLOT_SIZE - PAYLOAD_OFFSET;

    /** How often the writer is told what was taken: the ring is never full because of what it was not told. */
    private static final int TAKEN_INTERVAL = SLOTS / 4;

    private final RegisteredBuffer memory;
    private final long address;
    private long taken;
    private int immediate;

    /**
     * An empty one.
     *
     * @param memory zeroed, of {@link #LENGTH} bytes, the caller's.
     */
    Mailbox(final RegisteredBuffer memory)
    {
        this.memory = memory;
        address = memory.address();
    }

    RegisteredBuffer memory()
    {
        return memory;
    }

    /**
     * Takes the next message, and puts what it carries where it belongs.
     *
     * @return false if there is none.
     */
    boolean take()
    {
        final long slot = address + SLOTS_OFFSET + (taken & (SLOTS - 1)) * SLOT_SIZE;
        if (UnsafeApi.getLongAcquire(null, slot) != taken + 1)
        {
            return false;
        }
        final int length = UnsafeApi.getInt(slot + LENGTH_OFFSET);
        if (length > 0)
        {
            Memory.copyShort(slot + PAYLOAD_OFFSET, UnsafeApi.getLong(slot + DESTINATION_OFFSET), length);
        }
        immediate = UnsafeApi.getInt(slot + IMMEDIATE_OFFSET);
        taken++;
        if (taken % TAKEN_INTERVAL == 0)
        {
            UnsafeApi.putLongRelease(null, address + TAKEN_OFFSET, taken);
        }
        return true;
    }

    /** The immediate of the message taken last. */
    int immediate()
    {
        return immediate;
    }

    /**
     * Says whether the reader sleeps, so that the next message has to wake it. Who is about to sleep makes a full fence
     * after this, and looks once more; and again soon, without having taken it back, as the writer makes no fence
     * between its message and its look.
     */
    void asleep(final boolean isAsleep)
    {
        UnsafeApi.putInt(address + ASLEEP_OFFSET, isAsleep ? 1 : 0);
    }

    /**
     * Says that this rank has given up a call: whatever it stores after this into memory that the peer reads, the peer
     * has seen this word if it has seen that. Any thread.
     */
    void giveUp()
    {
        UnsafeApi.putInt(address + GAVE_UP_OFFSET, 1);
        UnsafeApi.fullFence();
    }
}
