/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.agrona.UnsafeApi;
import org.tutti.collectives.util.Memory;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.Arrays;

/**
 * Sends to a peer whose memory this process can store into: a put copies straight to where the data belongs, and
 * the message goes into the peer's {@link ReceiveFifo} for this rank. When a call returns, local memory may be written
 * again. A store does not fail: that a peer is dead is seen by those that wait for it.
 * <p>
 * Not thread-safe; sending allocates nothing.
 */
final class SharedMemoryEndpoint extends Endpoint
{
    /** In place of a delta: the memory cannot be stored into from here. */
    static final long NONE = Long.MIN_VALUE;

    private static final int ACCESS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
    /** Regions of the peer that are remembered: its pool has few. */
    private static final int REGIONS = 8;
    /** How many messages ahead their lines are fetched. */
    private static final int AHEAD = 2;

    private final QueuePair qp;
    /** For what is out of reach of stores, and to wake the peer. */
    private final QueuePairEndpoint byQueuePair;
    private final long fifo;
    private final int[] keys = new int[REGIONS];
    /** What has been looked up of each region, from and to: all between is in it. */
    private final long[] starts = new long[REGIONS];
    private final long[] ends = new long[REGIONS];
    private final long[] deltas = new long[REGIONS];
    private int nextRegion;
    private long sent;
    private long taken;
    /** Of the eager buffer, in bytes. */
    private long used;
    private long freed;
    /** The ordinal of a write by the queue pair that the next message waits for, or 0. */
    private long pendingWrite;

    private SharedMemoryEndpoint(final QueuePairEndpoint byQueuePair, final long fifo)
    {
        super(byQueuePair.peer());
        this.byQueuePair = byQueuePair;
        this.fifo = fifo;
        qp = byQueuePair.queuePair();
        remote(byQueuePair);
        Arrays.fill(deltas, NONE);
    }

    /**
     * An endpoint for the peer that a queue pair is connected with.
     *
     * @param byQueuePair ready to send.
     * @param address     address of the receive FIFO in the peer, or 0 if it has none.
     * @param rkey        remote key of the receive FIFO.
     * @return null if its FIFO, control block or SCRATCH is out of reach of stores.
     */
    static SharedMemoryEndpoint to(final QueuePairEndpoint byQueuePair, final long address, final int rkey)
    {
        final long fifo = address == 0 ? 0 :
            byQueuePair.queuePair().loadStoreAddress(address, ReceiveFifo.LENGTH, rkey, ACCESS);
        if (fifo == 0)
        {
            return null;
        }
        final SharedMemoryEndpoint endpoint = new SharedMemoryEndpoint(byQueuePair, fifo);
        final boolean isReached = endpoint.delta(endpoint.controlAddress(), 1, endpoint.controlRkey()) != NONE &&
            endpoint.delta(endpoint.scratchAddress(), 1, endpoint.scratchRkey()) != NONE;
        return isReached ? endpoint : null;
    }

    @Override
    public int deviceIndex()
    {
        return byQueuePair.deviceIndex();
    }

    @Override
    public boolean isDirect()
    {
        return true;
    }

    @Override
    public boolean isFull()
    {
        return !canSend();
    }

    /** Whether the FIFO has room for one more message, whatever it carries. */
    @Override
    public boolean canSend()
    {
        if (isFree())
        {
            return true;
        }
        taken = UnsafeApi.getLongAcquire(null, fifo + ReceiveFifo.TAKEN_OFFSET);
        freed = UnsafeApi.getLongAcquire(null, fifo + ReceiveFifo.FREED_OFFSET);
        return isFree();
    }

    private boolean isFree()
    {
        // In the worst case the next message goes past the end of the eager buffer.
        return sent - taken < ReceiveFifo.LINES &&
            used - freed <= ReceiveFifo.EAGER_LENGTH - 2 * ReceiveFifo.MAX_PAYLOAD;
    }

    /**
     * How this process reaches memory of the peer, which is in a region and may be read and written. What was looked up
     * is remembered: a key means another region only after some 30,000 others have come and gone in its place, and the
     * peer's pool gives regions back only when the host is short of memory, or when the peer closes. What the provider
     * gives addresses of stays mapped until the queue pair is closed, even if the peer dies; but once the peer has
     * given it back, zeros are read there, and what is touched takes new pages, as long as the host has any.
     *
     * @param address address in the peer.
     * @param length  length in bytes, at least 1.
     * @param rkey    remote key of the region.
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

    @Override
    public boolean putWithImmediate(
        final long address, final int lkey, final int length, final long remoteAddress, final int rkey,
        final int immediate, final long round, final boolean signaled)
    {
        if (length == 0)
        {
            return publish(immediate, round, 0);
        }
        final long delta = pendingWrite == 0 ? delta(remoteAddress, length, rkey) : NONE;
        if (delta == NONE)
        {
            return write(address, lkey, length, remoteAddress, rkey) && publish(immediate, round, 0);
        }
        if (length <= ReceiveFifo.LINE_PAYLOAD)
        {
            sendEager(address, length, remoteAddress, immediate, round);
            return true;
        }
        Memory.copy(address, remoteAddress + delta, length);
        return publish(immediate, round, 0);
    }

    /**
     * Memory that is out of reach of stores is written by a request, which also finds out whether the peer is gone; the
     * message follows when that is complete.
     *
     * @return whether it is complete.
     */
    private boolean write(
        final long address, final int lkey, final int length, final long remoteAddress, final int rkey)
    {
        if (pendingWrite == 0)
        {
            if (byQueuePair.canPost())
            {
                byQueuePair.put(address, lkey, length, remoteAddress, rkey);
                pendingWrite = byQueuePair.posted();
            }
            return false;
        }
        if (!byQueuePair.isDone(pendingWrite))
        {
            return false;
        }
        pendingWrite = 0;
        return true;
    }

    @Override
    public long lastPut()
    {
        return 0;
    }

    @Override
    public boolean isDone(final long ordinal)
    {
        return true;
    }

    @Override
    public void signal(final int immediate, final long round)
    {
        publish(immediate, round, 0);
    }

    @Override
    public void sendLength(final long length, final int immediate, final long round)
    {
        UnsafeApi.putLong(fifo + ReceiveFifo.offset(sent) + ReceiveFifo.DESTINATION_OFFSET, length);
        publish(immediate, round, 0);
    }

    @Override
    public void expose(
        final RegisteredBuffer output, final long offset, final long length, final RegisteredBuffer input,
        final int immediate, final long round)
    {
        sendEager(byQueuePair.writeExposure(output, offset, length, input), ControlBlock.EXPOSURE_LENGTH,
            exposureAddress(), immediate, round);
    }

    @Override
    public boolean isEager(final long length)
    {
        return length <= ReceiveFifo.LINE_PAYLOAD;
    }

    @Override
    public void sendEager(
        final long address, final int length, final long remoteAddress, final int immediate, final long round)
    {
        final long line = fifo + ReceiveFifo.offset(sent);
        if (length <= ReceiveFifo.LINE_PAYLOAD)
        {
            Memory.copyShort(address, line + ReceiveFifo.PAYLOAD_OFFSET, length);
        }
        else
        {
            final long place = ReceiveFifo.place(used, length);
            Memory.copy(address, fifo + ReceiveFifo.eagerOffset(place), length);
            used = ReceiveFifo.after(place, length);
        }
        UnsafeApi.putLong(line + ReceiveFifo.DESTINATION_OFFSET, remoteAddress);
        publish(immediate, round, length);
    }

    @Override
    public long reach(final long address, final long length, final int rkey)
    {
        final long delta = delta(address, length, rkey);
        return delta == NONE ? 0 : address + delta;
    }

    @Override
    public void flush()
    {
        if (byQueuePair.canPost() && takeSleeper())
        {
            byQueuePair.signal(Immediate.WAKE);
        }
        byQueuePair.flush();
    }

    /** Always true. */
    private boolean publish(final int immediate, final long round, final int length)
    {
        final long line = fifo + ReceiveFifo.offset(sent);
        UnsafeApi.putInt(line + ReceiveFifo.ROUND_OFFSET, (int)round);
        UnsafeApi.putInt(line + ReceiveFifo.IMMEDIATE_OFFSET, immediate);
        UnsafeApi.putInt(line + ReceiveFifo.LENGTH_OFFSET, length);
        // What was copied before, and what this rank has loaded of the peer, goes before the number that says so; the
        // peer acquires the number before it looks at either.
        UnsafeApi.putIntRelease(null, line, (int)(sent + 1));
        sent++;
        if (sent - taken < ReceiveFifo.LINES - AHEAD)
        {
            // Fetches a line that is written soon, while no rank waits for it.
            UnsafeApi.putInt(fifo + ReceiveFifo.offset(sent + AHEAD) + ReceiveFifo.LENGTH_OFFSET, 0);
        }
        return true;
    }

    @Override
    public boolean isInputValid()
    {
        UnsafeApi.loadFence();
        return UnsafeApi.getInt(fifo + ReceiveFifo.INPUT_VALID_OFFSET) == ReceiveFifo.INPUT_VALID;
    }

    /**
     * Whether the peer sleeps and is not woken yet: the caller wakes it. Asked without a fence, which would wait until
     * the message has gone: a peer that goes to sleep at this moment looks once more, soon.
     *
     * @return true once for each time that it goes to sleep.
     */
    private boolean takeSleeper()
    {
        if (UnsafeApi.getIntVolatile(null, fifo + ReceiveFifo.ASLEEP_OFFSET) == 0)
        {
            return false;
        }
        UnsafeApi.putIntVolatile(null, fifo + ReceiveFifo.ASLEEP_OFFSET, 0);
        return true;
    }
}
