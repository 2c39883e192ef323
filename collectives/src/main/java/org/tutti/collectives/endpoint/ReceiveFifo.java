/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.agrona.UnsafeApi;
import org.tutti.collectives.util.Memory;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * Receives the messages of one peer that can store into this rank's memory: a ring of cache lines, and an eager buffer
 * for payloads that are too long for a line. Single-producer, single-consumer: a thread of the peer writes both
 * ({@link SharedMemoryEndpoint}), a thread of this rank reads them. A message shares its line with the first bytes of
 * its payload, as in NCCL's LL protocol (Hu et al., <i>Demystifying NCCL</i>, 2025, arXiv:2507.04786), so that one
 * cache-line transfer brings both; all other data is written before the line that announces it. In native byte order.
 * <pre>
 *  offset       bytes  field
 *       0           8  taken: number of lines that the reader has taken, published at intervals; the writer reads it
 *                      when a ring seems full
 *       8           8  freed: number of bytes of the eager buffer that the reader had freed when it published taken
 *      64           4  asleep: 1 when the reader goes to sleep; the writer of the next message wakes it and stores 0
 *      68           4  input valid: {@link #INPUT_VALID} until the reader gives up a call, whose INPUT the application
 *                      may then write again; any other value, including the 0 of freed memory, means invalid
 *                      (docs/adr/0027)
 *     128    64 × 256  lines, by number modulo 256, one message each: +0 4 number, from 1, written last; +4 4 round;
 *                      +8 4 immediate; +12 4 payload length; +16 8 destination address in the reader,
 *                      or length of a block that is only announced;
 *                      +24 40 payload, if it fits
 *   16512       32768  eager buffer: longer payloads, one after the other ({@link #place})
 * </pre>
 * A message stays in the FIFO until the reader has a slot for its round (docs/adr/0037), so a sender may be as many
 * rounds ahead as the FIFO has room for (docs/adr/0022).
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
    /** The maximum payload of a line, in bytes. */
    static final int LINE_PAYLOAD = LINE_SIZE - PAYLOAD_OFFSET;
    /** The maximum payload of a message, in bytes. */
    public static final int MAX_PAYLOAD = 4 << 10;
    /** Not 0, which peers read from memory that its owner has freed. */
    static final int INPUT_VALID = 0x5449_4c56;

    /**
     * The lines or bytes after which the reader publishes its counters: a quarter, so that unpublished space never
     * fills a ring.
     */
    private static final int TAKEN_INTERVAL = LINES / 4;
    private static final int FREED_INTERVAL = EAGER_LENGTH / 4;

    private final int peer;
    private final RegisteredBuffer memory;
    private final long address;
    private long taken;
    private long freed;
    private long publishedTaken;
    private long publishedFreed;
    private int immediate;
    private long blockLength;

    /**
     * Creates an empty FIFO. The peer must not know its address before this returns.
     *
     * @param peer   rank that stores messages.
     * @param memory zeroed memory of {@link #LENGTH} bytes, owned by the caller.
     */
    public ReceiveFifo(final int peer, final RegisteredBuffer memory)
    {
        this.peer = peer;
        this.memory = memory;
        address = memory.address();
        UnsafeApi.putInt(address + INPUT_VALID_OFFSET, INPUT_VALID);
    }

    /** Returns the offset of a line from the start of the FIFO. */
    static long offset(final long line)
    {
        return LINES_OFFSET + (line & (LINES - 1)) * LINE_SIZE;
    }

    /**
     * Returns the position in the eager buffer of the next payload that is too long for a line. No payload wraps
     * around.
     *
     * @param used   position after the previous payload.
     * @param length length of the payload in bytes.
     * @return position of the payload.
     */
    static long place(final long used, final int length)
    {
        final int left = EAGER_LENGTH - (int)(used & (EAGER_LENGTH - 1));
        return length <= left ? used : used + left;
    }

    /** Returns the position after a payload. Payloads do not share cache lines. */
    static long after(final long place, final int length)
    {
        return place + (length + LINE_SIZE - 1 & -LINE_SIZE);
    }

    /** Returns the offset of a position in the eager buffer from the start of the FIFO. */
    static long eagerOffset(final long place)
    {
        return EAGER_OFFSET + (place & (EAGER_LENGTH - 1));
    }

    /** Returns the rank that stores messages. */
    public int peer()
    {
        return peer;
    }

    public RegisteredBuffer memory()
    {
        return memory;
    }

    /**
     * Takes the next message, and copies its payload to the destination.
     *
     * @param round last round for which the reader has a slot; messages of later rounds stay.
     * @return false if there is no message to take.
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
        if (taken - publishedTaken == TAKEN_INTERVAL || freed - publishedFreed >= FREED_INTERVAL)
        {
            publishCounters();
        }
        return true;
    }

    private void publishCounters()
    {
        publishedTaken = taken;
        publishedFreed = freed;
        // The release orders the loads from lines and eager buffer before the counters.
        UnsafeApi.putLongRelease(null, address + FREED_OFFSET, freed);
        UnsafeApi.putLongRelease(null, address + TAKEN_OFFSET, taken);
    }

    /** Returns whether there is a message of any round. */
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
                Long.toHexString(destination) + ": must be at most " + MAX_PAYLOAD + " bytes, into memory of this " +
                "rank; find the process that writes to files in the job's directory");
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

    /** Returns the immediate of the message taken last. */
    public int immediate()
    {
        return immediate;
    }

    /**
     * Returns the length of the block that the last message taken carried or announced; undefined for other messages.
     */
    public long blockLength()
    {
        return blockLength;
    }

    /**
     * Sets whether the reader sleeps and the next message must wake it. A reader that is about to sleep sets the flag,
     * issues a full fence and polls once more. It polls again after a short sleep, because the writer issues no fence
     * between storing its message and reading the flag, so the writer may miss the flag although the first poll found
     * nothing.
     */
    public void asleep(final boolean isAsleep)
    {
        UnsafeApi.putInt(address + ASLEEP_OFFSET, isAsleep ? 1 : 0);
    }

    /**
     * Marks INPUT as invalid when this rank gives up a call: a peer that has read memory which this rank wrote to or
     * freed after this call does not find {@link #INPUT_VALID} afterwards. Thread-safe.
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
            // Truncated memory is invalid anyway: readers fault as well, or read zeros.
        }
    }
}
