/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * How messages reach one peer, chosen once when the connection is made: by its queue pair ({@link QueuePairEndpoint}),
 * or by stores into its memory ({@link SharedMemoryEndpoint}). A message carries 32 bits of immediate data; it arrives
 * after everything that was put before it.
 * <p>
 * Not thread-safe: the communicator's thread uses it. Sending allocates nothing.
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

    /** The rank at the other end. */
    public final int peer()
    {
        return peer;
    }

    /**
     * Where the peer's memory is that this rank may write: SCRATCH and the control block, with their keys.
     *
     * @param exposure where in the control block this rank says where its buffers are.
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

    /** The same memory as another endpoint of the peer. */
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

    final long exposureAddress()
    {
        return exposureAddress;
    }

    /** The transport whose keys open local memory. */
    public abstract int deviceIndex();

    /** Whether messages are stored into the peer's memory. */
    public abstract boolean isDirect();

    /** Whether one more message can be sent now. */
    public abstract boolean canSend();

    /** Whether the peer has no room for a message: that it has some again wakes no thread. */
    public abstract boolean isFull();

    /**
     * Writes local memory to the peer, and a message after it. The caller asked {@link #canSend}.
     *
     * @param address       address of local memory.
     * @param lkey          local key of local memory.
     * @param length        length in bytes; may be 0.
     * @param remoteAddress remote address in the peer.
     * @param rkey          remote key of the peer's memory.
     * @param immediate     immediate data of the message.
     * @param round         round of the message.
     * @param signaled      whether {@link #isDone} is to tell when local memory may be written again.
     * @return false if that needs another call with the same arguments, later.
     */
    public abstract boolean putWithImmediate(
        long address, int lkey, int length, long remoteAddress, int rkey, int immediate, long round, boolean signaled);

    /** The ordinal by which {@link #isDone} knows the last put. */
    public abstract long lastPut();

    /** Whether local memory of a put may be written again. */
    public abstract boolean isDone(long ordinal);

    /**
     * Whether a put to SCRATCH is sent eagerly even where the peer is known to be ready for it.
     *
     * @param length length in bytes.
     */
    public abstract boolean isEager(long length);

    /**
     * Sends a message with bytes that the peer writes to its own memory when it is in that round. The caller asked
     * {@link #canSend} and {@link #isDirect}.
     *
     * @param address       address of local memory, which may be written again afterwards.
     * @param length        length in bytes, at most {@link ReceiveFifo#MAX_PAYLOAD}.
     * @param remoteAddress remote address in the peer.
     */
    public abstract void sendEager(long address, int length, long remoteAddress, int immediate, long round);

    /**
     * Sends a message that says how long a block is which follows. The caller asked {@link #canSend} and
     * {@link #isDirect}.
     *
     * @param length length in bytes.
     */
    public abstract void sendLength(long length, int immediate, long round);

    /** Sends a message without data. The caller asked {@link #canSend}. */
    public abstract void signal(int immediate, long round);

    /**
     * Tells the peer where OUTPUT, or its block of it, and INPUT are, and sends a message. The caller asked
     * {@link #canSend}.
     *
     * @param output memory of the call.
     * @param offset offset of what the peer may write, from the start of the output, in bytes.
     * @param length length of what the peer may write, in bytes.
     * @param input  memory of the call.
     */
    public abstract void expose(
        RegisteredBuffer output, long offset, long length, RegisteredBuffer input, int immediate, long round);

    /**
     * Where this process loads memory of the peer.
     *
     * @param address address in the peer.
     * @param length  length in bytes, at least 1.
     * @param rkey    remote key of the region.
     * @return an address, or 0 if it is out of reach.
     */
    public abstract long reach(long address, long length, int rkey);

    /**
     * Whether what was read of the peer's INPUT before this call was its INPUT: the peer has neither given up a call
     * nor given its memory back. The caller asked {@link #reach}.
     *
     * @return false for ever after it was false once.
     */
    public abstract boolean isInputValid();

    /** Posts what is chained, and wakes the peer if it sleeps. */
    public abstract void flush();
}
