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
 * Sends to a peer whose memory is mapped in this process: a put copies to the destination, and the message is stored
 * into the peer's {@link ReceiveFifo} for this rank. When a call returns, local memory may be written again. A store
 * succeeds even if the peer is dead: ranks that wait for the peer detect its failure.
 * <p>
 * Not thread-safe; sending allocates nothing.
 */
final class SharedMemoryEndpoint extends Endpoint
{
    /** Used instead of an address offset if the memory is not mapped in this process. */
    static final long NONE = Long.MIN_VALUE;

    private static final int ACCESS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
    /** The number of cached regions of the peer, whose memory pool has few regions. */
    private static final int REGIONS = 8;
    /** How many lines ahead of the next message a line is prefetched. */
    private static final int PREFETCH = 2;

    private final QueuePair qp;
    /** For memory that is not mapped in this process, and to wake the peer. */
    private final QueuePairEndpoint byQueuePair;
    private final long fifo;
    private final int[] keys = new int[REGIONS];
    /** Start of the range of each region that is known to be mapped. */
    private final long[] starts = new long[REGIONS];
    private final long[] ends = new long[REGIONS];
    private final long[] deltas = new long[REGIONS];
    private int nextRegion;
    private long sent;
    private long taken;
    /** Position in the eager buffer, in bytes. */
    private long used;
    private long freed;
    /** The ordinal of a write over the queue pair that the next message waits for, or 0. */
    private long pendingWrite;
    /** Immediate data of the message that follows the pending write; a repeated call with the same message sends it. */
    private int pendingImmediate;
    private long pendingAddress;

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
     * Returns an endpoint for the peer of a connected queue pair.
     *
     * @param byQueuePair endpoint over the queue pair, ready to send.
     * @param address     address of the receive FIFO in the peer, or 0 if it has none.
     * @param rkey        remote key of the receive FIFO.
     * @return endpoint, or null if the peer's FIFO, control block or SCRATCH is not mapped in this process.
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

    /** Returns whether the FIFO has room for one more message with any payload. */
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
        // In the worst case the next payload skips the end of the eager buffer.
        return sent - taken < ReceiveFifo.LINES &&
            used - freed <= ReceiveFifo.EAGER_LENGTH - 2 * ReceiveFifo.MAX_PAYLOAD;
    }

    /**
     * Returns the offset between the peer's addresses and this process's mapping of a region that may be read and
     * written. Results are cached: a key is reused only after about 30,000 other registrations, and the peer's pool
     * frees regions only when the host is short of memory or the peer closes. The provider keeps the memory mapped
     * until the queue pair is closed, even if the peer dies; once the peer has freed it, loads return zeros, and each
     * access allocates new pages, as long as the host has any.
     *
     * @param address address in the peer.
     * @param length  length in bytes, at least 1.
     * @param rkey    remote key of the region.
     * @return value to add to the address, or {@link #NONE}.
     */
    long delta(final long address, final long length, final int rkey)
    {
        for (int i = 0; i < REGIONS; i++)
        {
            // The address may be any value, even one at which address + length overflows.
            if (keys[i] == rkey && address >= starts[i] && address <= ends[i] && length <= ends[i] - address)
            {
                return deltas[i];
            }
        }
        return find(address, length, rkey);
    }

    private long find(final long address, final long length, final int rkey)
    {
        final long local = qp.loadStoreAddress(address, length, rkey, ACCESS);
        if (local == 0)
        {
            return NONE;
        }
        final long delta = local - address;
        for (int i = 0; i < REGIONS; i++)
        {
            if (keys[i] == rkey && deltas[i] == delta)
            {
                starts[i] = Math.min(starts[i], address);
                ends[i] = Math.max(ends[i], address + length);
                return delta;
            }
        }
        final int slot = nextRegion;
        nextRegion = (nextRegion + 1) % REGIONS;
        keys[slot] = rkey;
        starts[slot] = address;
        ends[slot] = address + length;
        deltas[slot] = delta;
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
        if (pendingWrite != 0 && (pendingImmediate != immediate || pendingAddress != remoteAddress))
        {
            return false;
        }
        final long delta = pendingWrite == 0 ? delta(remoteAddress, length, rkey) : NONE;
        if (delta == NONE)
        {
            return write(address, lkey, length, remoteAddress, rkey, immediate) && publish(immediate, round, 0);
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
     * Writes memory that is not mapped in this process over the queue pair, which also detects a dead peer; the message
     * follows when the write is complete.
     *
     * @return true if the write is complete.
     */
    private boolean write(
        final long address, final int lkey, final int length, final long remoteAddress, final int rkey,
        final int immediate)
    {
        if (pendingWrite == 0)
        {
            if (byQueuePair.canPost())
            {
                pendingImmediate = immediate;
                pendingAddress = remoteAddress;
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
        final int slot, final RegisteredBuffer output, final long offset, final long length,
        final RegisteredBuffer input, final int immediate, final long round)
    {
        sendEager(byQueuePair.writeExposure(slot, output, offset, length, input), ControlBlock.EXPOSURE_LENGTH,
            exposureAddress(slot), immediate, round);
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
            final long position = ReceiveFifo.place(used, length);
            Memory.copy(address, fifo + ReceiveFifo.eagerOffset(position), length);
            used = ReceiveFifo.after(position, length);
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

    /** Publishes the next line, which holds a message; always returns true. */
    private boolean publish(final int immediate, final long round, final int length)
    {
        final long line = fifo + ReceiveFifo.offset(sent);
        UnsafeApi.putInt(line + ReceiveFifo.ROUND_OFFSET, (int)round);
        UnsafeApi.putInt(line + ReceiveFifo.IMMEDIATE_OFFSET, immediate);
        UnsafeApi.putInt(line + ReceiveFifo.LENGTH_OFFSET, length);
        // The release orders earlier copies, and this rank's loads of the peer's memory, before the store of the line
        // number, which the peer acquires before it accesses either.
        UnsafeApi.putIntRelease(null, line, (int)(sent + 1));
        sent++;
        if (sent - taken < ReceiveFifo.LINES - PREFETCH)
        {
            // Prefetches a line that is written soon, while no rank waits for it.
            UnsafeApi.putInt(fifo + ReceiveFifo.offset(sent + PREFETCH) + ReceiveFifo.LENGTH_OFFSET, 0);
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
     * Returns whether the peer sleeps and must be woken by the caller. Reads without a fence, which would stall until
     * the message is visible: a peer that is about to sleep polls once more soon.
     *
     * @return true once each time that the peer goes to sleep.
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
