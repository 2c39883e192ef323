/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairSetup;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.TransportType;
import org.tutti.rdma.WorkCompletion;

/**
 * One end of a reliable connection (RC), with its own context. Half of its buffer holds outgoing data, and the other
 * end writes to the other half. The work requests are built once, as a chain that is posted by one call.
 * <p>
 * Used by one thread at a time; posting and polling allocate nothing.
 */
public final class RcEndpoint implements AutoCloseable
{
    /** Maximum number of completions per poll. */
    private static final int BATCH = 16;
    private static final int PAGE = 4096;

    private final MeasuredPort port;
    private final boolean isPolledForWrites;
    private final Context context;
    private final ProtectionDomain domain;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final AllocatedMemory memory;
    private final MemoryRegion region;
    private final long half;
    private final int chain;
    private final int maxInline;
    private final UnsafeBuffer buffer;
    private final SendWorkRequest[] sends;
    private final ScatterGatherEntry[] entries;
    private final WorkCompletion completion = new WorkCompletion();
    private final long sendAddress;
    private final long receiveAddress;
    private final long completionAddress;
    private int inlineFlag;

    /**
     * Opens the device and allocates all resources.
     *
     * @param port      port to use.
     * @param depth     maximum outstanding requests of either queue.
     * @param chain     number of requests that are posted together, at least 1.
     * @param length    maximum message length in bytes.
     * @param maxInline maximum length of an inline message in bytes; lowered to the device's limit.
     */
    public RcEndpoint(final MeasuredPort port, final int depth, final int chain, final int length, final int maxInline)
    {
        this.port = port;
        this.chain = chain;
        half = (length + PAGE - 1L) & -PAGE;
        isPolledForWrites = port.device().transportType() == TransportType.IWARP;
        context = port.device().open();
        this.maxInline = Math.min(maxInline, context.queryDevice().maxInlineData);
        domain = context.allocateProtectionDomain();
        cq = context.createCompletionQueue(2 * depth, null);
        qp = domain.createQueuePair(QueuePairInitAttributes.reliable(cq, depth, depth, 1, this.maxInline));
        memory = context.allocateMemory(2 * half);
        region = domain.registerMemory(memory.address(), memory.length(), AccessFlags.ALL);

        final int entryOffset = chain * SendWorkRequest.SIZE;
        final int receiveOffset = entryOffset + chain * ScatterGatherEntry.SIZE;
        final int completionOffset = receiveOffset + ReceiveWorkRequest.SIZE;
        buffer = new UnsafeBuffer(
            BufferUtil.allocateDirectAligned(completionOffset + BATCH * WorkCompletion.SIZE, 64));
        sends = new SendWorkRequest[chain];
        entries = new ScatterGatherEntry[chain];
        for (int i = 0; i < chain; i++)
        {
            final int offset = entryOffset + i * ScatterGatherEntry.SIZE;
            entries[i] = new ScatterGatherEntry().wrap(buffer, offset);
            sends[i] = new SendWorkRequest().wrap(buffer, i * SendWorkRequest.SIZE).clear()
                .opcode(SendOpcode.RDMA_WRITE)
                .sgList(buffer.addressOffset() + offset, 1)
                .next(i + 1 < chain ? buffer.addressOffset() + (i + 1L) * SendWorkRequest.SIZE : 0);
        }
        new ReceiveWorkRequest().wrap(buffer, receiveOffset).clear();
        completion.wrap(buffer, completionOffset);
        sendAddress = buffer.addressOffset();
        receiveAddress = buffer.addressOffset() + receiveOffset;
        completionAddress = buffer.addressOffset() + completionOffset;
        message(Math.min(Long.BYTES, length));
    }

    /**
     * Address that the other end needs.
     *
     * @return address to send to the other end.
     */
    public EndpointAddress address()
    {
        final PortAttributes attributes = context.queryPort(port.number());
        return new EndpointAddress(context.queryGid(port.number(), port.gidIndex()), attributes.lid,
            attributes.activeMtu, qp.qpNum(), memory.address() + half, region.rkey());
    }

    /**
     * Connects to the other end, which must do the same.
     *
     * @param peer the {@link #address} of the other end.
     */
    public void connect(final EndpointAddress peer)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.portNum = port.number();
        attributes.accessFlags = AccessFlags.ALL;
        attributes.path = new AddressHandleAttributes(
            true, peer.gid(), port.gidIndex(), 64, peer.lid(), 0, port.number());
        attributes.pathMtu = Math.min(peer.mtu(), context.queryPort(port.number()).activeMtu);
        attributes.destQpNum = peer.qpNum();
        attributes.rqPsn = 0;
        attributes.maxDestRdAtomic = 1;
        attributes.minRnrTimer = 12;
        attributes.timeout = 14;
        attributes.retryCount = 7;
        attributes.rnrRetry = 7;
        attributes.sqPsn = 0;
        attributes.maxRdAtomic = 1;
        QueuePairSetup.toReadyToSend(qp, QueuePairType.RC, attributes);

        for (final SendWorkRequest send : sends)
        {
            send.rdma(peer.memoryAddress(), peer.rkey());
        }
    }

    /**
     * Sets the length of the next messages, which are inline if they are short enough.
     *
     * @param length length in bytes, at least 1.
     */
    public void message(final int length)
    {
        for (final ScatterGatherEntry entry : entries)
        {
            entry.set(memory.address(), length, region.lkey());
        }
        inlineFlag = length <= maxInline ? SendFlags.INLINE : 0;
        for (final SendWorkRequest send : sends)
        {
            send.sendFlags(inlineFlag);
        }
    }

    /**
     * Posts the chain of writes.
     *
     * @param signaled whether the last of them generates a completion.
     */
    public void postWrite(final boolean signaled)
    {
        sends[chain - 1].sendFlags(signaled ? inlineFlag | SendFlags.SIGNALED : inlineFlag);
        require(qp.postSend(sendAddress));
    }

    /**
     * Posts the chain, with a write with immediate as its last request; later calls of {@link #postWrite} then also end
     * with a write with immediate.
     *
     * @param signaled whether that request generates a completion at this end.
     */
    public void postWriteWithImmediate(final boolean signaled)
    {
        sends[chain - 1].opcode(SendOpcode.RDMA_WRITE_WITH_IMM);
        postWrite(signaled);
    }

    /** Posts a receive request for immediate data. */
    public void postReceive()
    {
        require(qp.postReceive(receiveAddress));
    }

    /**
     * Polls completions, all of which must be successful.
     *
     * @param most maximum number of completions, from 1 to 16.
     * @return number of completions, at least 0.
     */
    public int poll(final int most)
    {
        final int polled = cq.poll(completionAddress, most);
        for (int i = 0; i < polled; i++)
        {
            completion.wrap(buffer, (int)(completionAddress - buffer.addressOffset()) + i * WorkCompletion.SIZE);
            if (!completion.isSuccess())
            {
                throw new IllegalStateException(
                    "request failed: " + completion.status());
            }
        }
        if (polled < 0)
        {
            throw new IllegalStateException("cannot poll the completion queue: errno=" + -polled);
        }
        return polled;
    }

    /**
     * Called repeatedly by a thread that waits for a change of memory and has no outstanding request: software iWARP
     * receives the peer's writes in the polling thread, or else later in a thread of its own.
     */
    void progress()
    {
        if (isPolledForWrites)
        {
            poll(1);
        }
    }

    /**
     * Whether the last polled completion is of a receive request.
     *
     * @return false for a send request.
     */
    public boolean isReceive()
    {
        return (completion.opcode() & CompletionOpcode.RECV) != 0;
    }

    /**
     * Memory whose content {@link #postWrite} writes to the other end.
     *
     * @param length length in bytes.
     * @return buffer valid until {@link #close}.
     */
    public UnsafeBuffer outgoing(final int length)
    {
        return new UnsafeBuffer(memory.address(), length);
    }

    /**
     * Memory that the other end writes to.
     *
     * @param length length in bytes.
     * @return buffer valid until {@link #close}.
     */
    public UnsafeBuffer incoming(final int length)
    {
        return new UnsafeBuffer(memory.address() + half, length);
    }

    @Override
    public void close()
    {
        qp.close();
        cq.close();
        region.close();
        memory.close();
        domain.close();
        context.close();
    }

    private void require(final int errno)
    {
        if (errno != 0)
        {
            throw new IllegalStateException("cannot post a request: errno=" + errno + " state=" + qp.state());
        }
    }
}
