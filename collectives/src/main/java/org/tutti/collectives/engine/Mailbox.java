/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.agrona.UnsafeApi;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * Where one peer that can store into this rank's memory leaves its messages: a ring of cache lines, written by the peer
 * ({@link Lane}) and read by this rank, each by one thread. A message and what it carries share lines, as in NCCL's LL
 * protocol (Hu et al., <i>Demystifying NCCL</i>, 2025, arXiv:2507.04786), so that one transfer between caches brings
 * both; what a message does not carry is already where it belongs when the line says so. In native byte order.
 * <pre>
 *  offset       bytes  field
 *       0           8  taken: how many lines the reader has taken, now and then; the writer reads it when the ring
 *                      seems full
 *      64           4  asleep: 1 when the reader goes to sleep; who writes a message then wakes it, and stores 0
 *      68           4  gave up: 1 once the reader has given up a call, whose memory its caller may use again
 *     128    64 × 256  lines, by number modulo 256. The first of a message: +0 4 number, from 1, written last of all;
 *                      +4 4 round; +8 4 immediate; +12 4 length of what it carries; +16 8 where that goes, in the
 *                      reader; +24 40 what it carries. The others: +0 4 number; +4 60 what it carries
 * </pre>
 * Every line has its number, so that nothing that a message once carried is taken for one. What is of a round
 * stays until the reader is in it, so whoever sends may be as many rounds ahead as there is room for
 * (docs/adr/0022).
 * <p>
 * Not thread-safe; allocates nothing.
 */
final class Mailbox
{
    static final int TAKEN_OFFSET = 0;
    static final int ASLEEP_OFFSET = 64;
    static final int GAVE_UP_OFFSET = 68;
    static final int LINES_OFFSET = 128;
    static final int LINE_SIZE = 64;
    static final int LINES = 256;
    static final int LENGTH = LINES_OFFSET + LINES * LINE_SIZE;

    static final int ROUND_OFFSET = 4;
    static final int IMMEDIATE_OFFSET = 8;
    static final int LENGTH_OFFSET = 12;
    static final int DESTINATION_OFFSET = 16;
    static final int PAYLOAD_OFFSET = 24;
    /** What the first line carries. */
    static final int FIRST_PAYLOAD = LINE_SIZE - PAYLOAD_OFFSET;
    static final int NEXT_PAYLOAD_OFFSET = 4;
    /** What any other line carries. */
    static final int NEXT_PAYLOAD = LINE_SIZE - NEXT_PAYLOAD_OFFSET;
    /** The most that a message carries, in bytes. */
    static final int MAX_PAYLOAD = 1 << 10;
    /** The most lines that a message takes. */
    static final int MAX_LINES = lines(MAX_PAYLOAD);

    /** How many lines are taken before the writer is told: the ring is never full because of what it was not told. */
    private static final int TAKEN_INTERVAL = LINES / 4;

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

    /** How many lines a message takes that carries so many bytes. */
    static int lines(final int length)
    {
        return length <= FIRST_PAYLOAD ? 1 : 1 + (length - FIRST_PAYLOAD + NEXT_PAYLOAD - 1) / NEXT_PAYLOAD;
    }

    /** How far from the start of a mailbox a line is. */
    static long offset(final long line)
    {
        return LINES_OFFSET + (line & (LINES - 1)) * LINE_SIZE;
    }

    RegisteredBuffer memory()
    {
        return memory;
    }

    /**
     * Takes the next message, and puts what it carries where it belongs.
     *
     * @param round that the reader is in: what is of a later one stays.
     * @return false if there is none to take.
     */
    boolean take(final long round)
    {
        if (!hasMore())
        {
            return false;
        }
        final long line = address + offset(taken);
        final int found = UnsafeApi.getInt(line + IMMEDIATE_OFFSET);
        if (UnsafeApi.getInt(line + ROUND_OFFSET) - (int)round > 0 && Immediate.isOfRound(found))
        {
            return false;
        }
        final int length = UnsafeApi.getInt(line + LENGTH_OFFSET);
        if (length > 0)
        {
            unpack(line, length);
        }
        immediate = found;
        final long before = taken;
        taken += lines(length);
        if (before / TAKEN_INTERVAL != taken / TAKEN_INTERVAL)
        {
            UnsafeApi.putLongRelease(null, address + TAKEN_OFFSET, taken);
        }
        return true;
    }

    /** Whether there is a message, of whatever round. */
    boolean hasMore()
    {
        return UnsafeApi.getIntAcquire(null, address + offset(taken)) == (int)(taken + 1);
    }

    private void unpack(final long first, final int length)
    {
        final long destination = UnsafeApi.getLong(first + DESTINATION_OFFSET);
        Memory.copyShort(first + PAYLOAD_OFFSET, destination, Math.min(length, FIRST_PAYLOAD));
        long line = taken;
        for (int done = FIRST_PAYLOAD; done < length; done += NEXT_PAYLOAD)
        {
            line++;
            Memory.copyShort(address + offset(line) + NEXT_PAYLOAD_OFFSET, destination + done,
                Math.min(length - done, NEXT_PAYLOAD));
        }
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
