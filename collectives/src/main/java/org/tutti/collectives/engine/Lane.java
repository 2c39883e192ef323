/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.QueuePair;

import java.util.Arrays;

/**
 * The way to a peer whose memory this process can store into: what a PUT writes is copied straight to where it belongs,
 * and the message goes into the peer's {@link Mailbox} for this rank. When {@link #send} returns, what was sent may be
 * written again. A store does not fail: that a peer is dead is seen by those who wait for it.
 * <p>
 * Not thread-safe; sending allocates nothing.
 */
final class Lane
{
    /** In place of a delta: the memory cannot be stored into from here. */
    static final long NONE = Long.MIN_VALUE;

    private static final int ACCESS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
    /** Regions of the peer that are remembered: its pool has few. */
    private static final int REGIONS = 8;
    /** How many messages ahead their lines are fetched. */
    private static final int AHEAD = 2;

    private final QueuePair qp;
    private final long mailbox;
    private final int[] keys = new int[REGIONS];
    /** What has been looked up of each region, from and to: all between is in it. */
    private final long[] starts = new long[REGIONS];
    private final long[] ends = new long[REGIONS];
    private final long[] deltas = new long[REGIONS];
    private int nextRegion;
    private long sent;
    private long taken;
    /** Of the room, in bytes. */
    private long used;
    private long freed;

    private Lane(final QueuePair qp, final long mailbox)
    {
        this.qp = qp;
        this.mailbox = mailbox;
        Arrays.fill(deltas, NONE);
    }

    /**
     * A lane to the peer that a queue pair is connected with.
     *
     * @param qp      the caller's, ready to send.
     * @param address of the mailbox in the peer, or 0 if it has none.
     * @param rkey    of the mailbox.
     * @return null if the mailbox is not within reach of stores.
     */
    static Lane to(final QueuePair qp, final long address, final int rkey)
    {
        final long mailbox = address == 0 ? 0 :
            qp.loadStoreAddress(address, Mailbox.LENGTH, rkey, ACCESS);
        return mailbox == 0 ? null : new Lane(qp, mailbox);
    }

    /** Whether the mailbox has room for one more message, whatever it carries. */
    boolean hasRoom()
    {
        if (isFree())
        {
            return true;
        }
        taken = UnsafeApi.getLongAcquire(null, mailbox + Mailbox.TAKEN_OFFSET);
        freed = UnsafeApi.getLongAcquire(null, mailbox + Mailbox.FREED_OFFSET);
        return isFree();
    }

    private boolean isFree()
    {
        // In the worst case the next message goes past the end of the room.
        return sent - taken < Mailbox.LINES && used - freed <= Mailbox.ROOM - 2 * Mailbox.MAX_PAYLOAD;
    }

    /**
     * How this process reaches memory of the peer, which is in a region and may be read and written. What was looked up
     * is remembered: a key means another region only after some 30,000 others have come and gone in its place, and the
     * peer's pool gives regions back only when the host is short of memory, or when the peer closes. What the provider
     * gives addresses of stays mapped until the queue pair is closed, even if the peer dies; but once the peer has
     * given it back, zeros are read there, and what is touched takes new pages, as long as the host has any.
     *
     * @param address in the peer.
     * @param length  in bytes, at least 1.
     * @param rkey    of the region.
     * @return what to add to the address, or {@link #NONE}.
     */
    long delta(final long address, final long length, final int rkey)
    {
        for (int i = 0; i < REGIONS; i++)
        {
            // The address may be anything, also one with an end that overflows.
            if (keys[i] == rkey && address >= starts[i] && address <= ends[i] && length <= ends[i] - address)
            {
                return deltas[i];
            }
        }
        return find(address, length, rkey);
    }

    private long find(final long address, final long length, final int rkey)
    {
        final long here = qp.loadStoreAddress(address, length, rkey, ACCESS);
        if (here == 0)
        {
            return NONE;
        }
        final long delta = here - address;
        for (int i = 0; i < REGIONS; i++)
        {
            if (keys[i] == rkey && deltas[i] == delta)
            {
                starts[i] = Math.min(starts[i], address);
                ends[i] = Math.max(ends[i], address + length);
                return delta;
            }
        }
        final int place = nextRegion;
        nextRegion = (nextRegion + 1) % REGIONS;
        keys[place] = rkey;
        starts[place] = address;
        ends[place] = address + length;
        deltas[place] = delta;
        return delta;
    }

    /**
     * Sends a message without data. The caller asked {@link #hasRoom}.
     *
     * @param round that it is of.
     */
    void send(final int immediate, final long round)
    {
        publish(immediate, round, 0);
    }

    /**
     * Says how long a block is that is not sent with it. The caller asked {@link #hasRoom}.
     *
     * @param round  that it is of.
     * @param length in bytes.
     */
    void announce(final int immediate, final long round, final long length)
    {
        UnsafeApi.putLong(mailbox + Mailbox.offset(sent) + Mailbox.DESTINATION_OFFSET, length);
        publish(immediate, round, 0);
    }

    /**
     * Writes to the peer, and sends a message. The caller asked {@link #hasRoom}.
     *
     * @param round       that it is of.
     * @param source      address of what is written.
     * @param length      in bytes.
     * @param destination address in the peer.
     * @param delta       of the destination, not {@link #NONE}.
     */
    void send(
        final int immediate, final long round, final long source, final long length, final long destination,
        final long delta)
    {
        if (length <= Mailbox.LINE_PAYLOAD)
        {
            carry(immediate, round, source, (int)length, destination);
            return;
        }
        Memory.copy(source, destination + delta, length);
        publish(immediate, round, 0);
    }

    /**
     * Sends a message with what the peer is to write into its own memory when it takes the message. The caller asked
     * {@link #hasRoom}.
     *
     * @param round       that it is of.
     * @param source      address of what is carried.
     * @param length      in bytes, at most {@link Mailbox#MAX_PAYLOAD}.
     * @param destination address in the peer.
     */
    void carry(
        final int immediate, final long round, final long source, final int length, final long destination)
    {
        final long line = mailbox + Mailbox.offset(sent);
        if (length <= Mailbox.LINE_PAYLOAD)
        {
            Memory.copyShort(source, line + Mailbox.PAYLOAD_OFFSET, length);
        }
        else
        {
            final long place = Mailbox.place(used, length);
            Memory.copy(source, mailbox + Mailbox.roomOffset(place), length);
            used = Mailbox.after(place, length);
        }
        UnsafeApi.putLong(line + Mailbox.DESTINATION_OFFSET, destination);
        publish(immediate, round, length);
    }

    private void publish(final int immediate, final long round, final int length)
    {
        final long line = mailbox + Mailbox.offset(sent);
        UnsafeApi.putInt(line + Mailbox.ROUND_OFFSET, (int)round);
        UnsafeApi.putInt(line + Mailbox.IMMEDIATE_OFFSET, immediate);
        UnsafeApi.putInt(line + Mailbox.LENGTH_OFFSET, length);
        // What was copied before, and what this rank has loaded of the peer, goes before the number that says so; the
        // peer acquires the number before it looks at either.
        UnsafeApi.putIntRelease(null, line, (int)(sent + 1));
        sent++;
        if (sent - taken < Mailbox.LINES - AHEAD)
        {
            // Fetches a line that is written soon, while nobody waits for it.
            UnsafeApi.putInt(mailbox + Mailbox.offset(sent + AHEAD) + Mailbox.LENGTH_OFFSET, 0);
        }
    }

    /**
     * Whether what was read of the peer's INPUT before this call was its INPUT: the peer has neither given up a call
     * nor given its memory back.
     *
     * @return false for ever after it was false once.
     */
    boolean isInputValid()
    {
        UnsafeApi.loadFence();
        return UnsafeApi.getInt(mailbox + Mailbox.INPUT_VALID_OFFSET) == Mailbox.INPUT_VALID;
    }

    /**
     * Whether the peer sleeps, and nobody wakes it yet: the caller does. Asked without a fence, which would wait until
     * the message has gone: a peer that goes to sleep at this moment looks once more, soon.
     *
     * @return true once for each time that it goes to sleep.
     */
    boolean takeSleeper()
    {
        if (UnsafeApi.getIntVolatile(null, mailbox + Mailbox.ASLEEP_OFFSET) == 0)
        {
            return false;
        }
        UnsafeApi.putIntVolatile(null, mailbox + Mailbox.ASLEEP_OFFSET, 0);
        return true;
    }
}
