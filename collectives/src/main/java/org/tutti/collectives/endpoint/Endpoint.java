/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * Sends messages to one peer, over a queue pair ({@link QueuePairEndpoint}) or by stores into its memory
 * ({@link SharedMemoryEndpoint}), as selected when the connection is made. A message carries 32 bits of immediate data
 * and arrives after all earlier puts.
 * <p>
 * Not thread-safe: used by the communicator's thread. Sending allocates nothing.
 */
public abstract class Endpoint
{
    private final int peer;
    private long scratchAddress;
    private int scratchRkey;
    private long controlAddress;
    private int controlRkey;
    private long exposureAddress;

    Endpoint(final int peer)
    {
        this.peer = peer;
    }

    /** Returns the rank of the peer. */
    public final int peer()
    {
        return peer;
    }

    /**
     * Sets the addresses and keys of the peer's memory that this rank may write: SCRATCH and the control block.
     *
     * @param exposure address of this rank's first exposure, in the peer's control block.
     */
    public final void remote(
        final long scratch, final int ofScratch, final long control, final int ofControl, final long exposure)
    {
        scratchAddress = scratch;
        scratchRkey = ofScratch;
        controlAddress = control;
        controlRkey = ofControl;
        exposureAddress = exposure;
    }

    /** Copies the addresses and keys from another endpoint of the same peer. */
    final void remote(final Endpoint other)
    {
        remote(other.scratchAddress, other.scratchRkey, other.controlAddress, other.controlRkey,
            other.exposureAddress);
    }

    public final long scratchAddress()
    {
        return scratchAddress;
    }

    public final int scratchRkey()
    {
        return scratchRkey;
    }

    final long controlAddress()
    {
        return controlAddress;
    }

    final int controlRkey()
    {
        return controlRkey;
    }

    final long exposureAddress(final int slot)
    {
        return exposureAddress + (long)slot * ControlBlock.EXPOSURE_SIZE;
    }

    /** Returns the index of the device that provides the keys of local memory. */
    public abstract int deviceIndex();

    /** Returns whether messages are stored into the peer's memory. */
    public abstract boolean isDirect();

    /** Returns whether one more message can be sent now. */
    public abstract boolean canSend();

    /** Returns whether the peer has no room for a message. No thread is woken when the peer has room again. */
    public abstract boolean isFull();

    /**
     * Writes local memory to the peer, followed by a message. Requires {@link #canSend}.
     *
     * @param address       address of local memory.
     * @param lkey          local key of local memory.
     * @param length        length in bytes, from 0.
     * @param remoteAddress remote address in the peer.
     * @param rkey          remote key of the peer's memory.
     * @param immediate     immediate data of the message.
     * @param round         round of the message.
     * @param signaled      whether {@link #isDone} must report when local memory may be written again.
     * @return false if the caller must repeat the call later with the same arguments.
     */
    public abstract boolean putWithImmediate(
        long address, int lkey, int length, long remoteAddress, int rkey, int immediate, long round, boolean signaled);

    /** Returns the ordinal of the last put, for {@link #isDone}. */
    public abstract long lastPut();

    /** Returns whether local memory of a put may be written again. */
    public abstract boolean isDone(long ordinal);

    /**
     * Returns whether a put to SCRATCH is sent eagerly even if the peer is known to be ready for it.
     *
     * @param length length in bytes.
     */
    public abstract boolean isEager(long length);

    /**
     * Sends a message with bytes that the peer copies to its own memory when it has a slot for the message's round.
     * Requires {@link #canSend} and {@link #isDirect}.
     *
     * @param address       address of local memory, which may be written again afterwards.
     * @param length        length in bytes, at most {@link ReceiveFifo#MAX_PAYLOAD}.
     * @param remoteAddress remote address in the peer.
     * @param immediate     immediate data of the message.
     * @param round         round of the message.
     */
    public abstract void sendEager(long address, int length, long remoteAddress, int immediate, long round);

    /**
     * Sends a message with the length of a block that follows. Requires {@link #canSend} and {@link #isDirect}.
     *
     * @param length length in bytes.
     */
    public abstract void sendLength(long length, int immediate, long round);

    /** Sends a message without data. Requires {@link #canSend}. */
    public abstract void signal(int immediate, long round);

    /**
     * Sends the peer the address of OUTPUT, or of the block of OUTPUT that the peer writes, and the address of INPUT,
     * followed by a message. Requires {@link #canSend}.
     *
     * @param slot   slot of the message's round.
     * @param output OUTPUT of the call.
     * @param offset offset of the range that the peer may write, from the start of the output, in bytes.
     * @param length length of the range that the peer may write, in bytes.
     * @param input  INPUT of the call.
     */
    public abstract void expose(
        int slot, RegisteredBuffer output, long offset, long length, RegisteredBuffer input, int immediate,
        long round);

    /**
     * Returns the address in this process at which memory of the peer is mapped.
     *
     * @param address address in the peer.
     * @param length  length in bytes, at least 1.
     * @param rkey    remote key of the region.
     * @return local address, or 0 if the memory is not mapped in this process.
     */
    public abstract long reach(long address, long length, int rkey);

    /**
     * Returns whether all earlier reads of the peer's INPUT were valid: the peer has neither given up a call nor freed
     * its memory. Requires that {@link #reach} has returned an address in INPUT.
     *
     * @return true if valid; once false, always false.
     */
    public abstract boolean isInputValid();

    /** Posts chained requests, and wakes the peer if it sleeps. */
    public abstract void flush();
}
