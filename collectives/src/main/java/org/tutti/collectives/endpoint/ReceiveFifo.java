/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.agrona.UnsafeApi;
import org.tutti.collectives.util.Memory;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * The messages of one peer that can store into this rank's memory: a ring of cache lines, and an eager buffer for what
 * is too long for a line. The peer writes both ({@link SharedMemoryEndpoint}), this rank reads them, each with one
 * thread. A message shares its line with the first bytes of its payload, as in NCCL's LL protocol (Hu et al.,
 * <i>Demystifying NCCL</i>, 2025, arXiv:2507.04786), so that one transfer between caches brings both; all other data is
 * in its place before the line says so. In native byte order.
 * <pre>
 *  offset       bytes  field
 *       0           8  taken: how many lines the reader has taken, now and then; the writer reads it when a ring seems
 *                      full
 *       8           8  freed: how many bytes of the eager buffer it had read by then
 *      64           4  asleep: 1 when the reader goes to sleep; the next writer wakes it and stores 0
 *      68           4  input valid: {@link #INPUT_VALID} until the reader gives up a call, whose INPUT its caller may
 *                      then write again; anything else, also the 0 of memory that was given back, means "not valid"
 *                      (docs/adr/0027)
 *     128    64 × 256  lines, by number modulo 256, a message each: +0 4 number, from 1, written last of all; +4 4
 *                      round; +8 4 immediate; +12 4 length of what it carries; +16 8 where that goes, in the reader,
 *                      or how long a block is that is only announced;
 *                      +24 40 what it carries, if it is that short
 *   16512       32768  eager buffer: longer payloads, one after the other ({@link #place})
 * </pre>
 * A message stays until the reader is in its round, so a sender may be as many rounds ahead as the FIFO has room for
 * (docs/adr/0022).
 * <p>
 * Not thread-safe; allocates nothing.
 */
public final class ReceiveFifo
{
    static final int TAKEN_OFFSET = 0;
    static final int FREED_OFFSET = 8;
    static final int ASLEEP_OFFSET = 64;
    static final int INPUT_VALID_OFFSET = 68;
    static final int LINES_OFFSET = 128;
    static final int LINE_SIZE = 64;
    public static final int LINES = 256;
    static final int EAGER_OFFSET = LINES_OFFSET + LINES * LINE_SIZE;
    public static final int EAGER_LENGTH = 32 << 10;
    public static final int LENGTH = EAGER_OFFSET + EAGER_LENGTH;

    static final int ROUND_OFFSET = 4;
    static final int IMMEDIATE_OFFSET = 8;
    static final int LENGTH_OFFSET = 12;
    static final int DESTINATION_OFFSET = 16;
    static final int PAYLOAD_OFFSET = 24;
    /** The most that a line carries, in bytes. */
    static final int LINE_PAYLOAD = LINE_SIZE - PAYLOAD_OFFSET;
    /** The most that a message carries, in bytes. */
    public static final int MAX_PAYLOAD = 4 << 10;
    /** Not 0, which is what peers read of memory that its owner has given back. */
    static final int INPUT_VALID = 0x5449_4c56;

    /** How much is taken of either ring before the writer is told: neither is full because of what it was not told. */
    private static final int TAKEN_INTERVAL = LINES / 4;
    private static final int FREED_INTERVAL = EAGER_LENGTH / 4;

    private final int peer;
    private final RegisteredBuffer memory;
    private final long address;
    private long taken;
    private long freed;
    private long toldTaken;
    private long toldFreed;
    private int immediate;
    private long blockLength;

    /**
     * An empty one. The peer must not know of it before this returns.
     *
     * @param peer   the rank that leaves messages.
     * @param memory zeroed, of {@link #LENGTH} bytes, the caller's.
     */
    public ReceiveFifo(final int peer, final RegisteredBuffer memory)
    {
        this.peer = peer;
        this.memory = memory;
        address = memory.address();
        UnsafeApi.putInt(address + INPUT_VALID_OFFSET, INPUT_VALID);
    }

    /** How far from the start of a FIFO a line is. */
    static long offset(final long line)
    {
        return LINES_OFFSET + (line & (LINES - 1)) * LINE_SIZE;
    }

    /**
     * Where the next message that is too long for a line has its bytes: none goes over the end of the eager buffer.
     *
     * @param used   number of bytes of the eager buffer used before.
     * @param length length of the message.
     * @return how much has been used up to there.
     */
    static long place(final long used, final int length)
    {
        final int left = EAGER_LENGTH - (int)(used & (EAGER_LENGTH - 1));
        return length <= left ? used : used + left;
    }

    /** How much of the eager buffer has been used after a message at such a place: a line belongs to one message. */
    static long after(final long place, final int length)
    {
        return place + (length + LINE_SIZE - 1 & -LINE_SIZE);
    }

    /** How far from the start of a FIFO a place in the eager buffer is. */
    static long eagerOffset(final long place)
    {
        return EAGER_OFFSET + (place & (EAGER_LENGTH - 1));
    }

    /** The rank that leaves messages. */
    public int peer()
    {
        return peer;
    }

    public RegisteredBuffer memory()
    {
        return memory;
    }

    /**
     * Takes the next message, and puts what it carries where it belongs.
     *
     * @param round round of the reader: messages of later rounds stay.
     * @return false if there is none to take.
     */
    public boolean take(final long round)
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
        if (length != 0)
        {
            unpack(line, length);
            blockLength = length;
        }
        else
        {
            blockLength = UnsafeApi.getLong(line + DESTINATION_OFFSET);
        }
        immediate = found;
        taken++;
        if (taken - toldTaken == TAKEN_INTERVAL || freed - toldFreed >= FREED_INTERVAL)
        {
            tell();
        }
        return true;
    }

    private void tell()
    {
        toldTaken = taken;
        toldFreed = freed;
        // What was in the lines and the eager buffer has been loaded before.
        UnsafeApi.putLongRelease(null, address + FREED_OFFSET, freed);
        UnsafeApi.putLongRelease(null, address + TAKEN_OFFSET, taken);
    }

    /** Whether there is a message, of whatever round. */
    public boolean hasMore()
    {
        return UnsafeApi.getIntAcquire(null, address + offset(taken)) == (int)(taken + 1);
    }

    private void unpack(final long line, final int length)
    {
        final long destination = UnsafeApi.getLong(line + DESTINATION_OFFSET);
        if (length < 0 || length > MAX_PAYLOAD || !memory.isInPool(destination, length))
        {
            throw new IllegalStateException("shared memory is corrupt: a message carries " + length + " bytes to 0x" +
                Long.toHexString(destination) + ", and must carry at most " + MAX_PAYLOAD + " to this rank's memory; " +
                "find the process that writes into files of the job's directory");
        }
        if (length <= LINE_PAYLOAD)
        {
            Memory.copyShort(line + PAYLOAD_OFFSET, destination, length);
            return;
        }
        final long place = place(freed, length);
        Memory.copy(address + eagerOffset(place), destination, length);
        freed = after(place, length);
    }

    /** The immediate of the message taken last. */
    public int immediate()
    {
        return immediate;
    }

    /** How long the block is that the message taken last carried or announced; of others, anything. */
    public long blockLength()
    {
        return blockLength;
    }

    /**
     * Says whether the reader sleeps, so that the next message has to wake it. A reader about to sleep makes a full
     * fence after this, and looks once more; and again soon, without having taken it back, as the writer makes no fence
     * between its message and its look.
     */
    public void asleep(final boolean isAsleep)
    {
        UnsafeApi.putInt(address + ASLEEP_OFFSET, isAsleep ? 1 : 0);
    }

    /**
     * Says that this rank has given up a call: if the peer has read anything that this rank stores, or gives back to
     * the system, after this, then the peer does not find {@link #INPUT_VALID} afterwards. Any thread.
     */
    void giveUp()
    {
        try
        {
            UnsafeApi.putInt(address + INPUT_VALID_OFFSET, 0);
            UnsafeApi.fullFence();
        }
        catch (final InternalError gone)
        {
            // Memory that was truncated is not valid anyway: readers fault, too, or read zeros.
        }
    }
}
