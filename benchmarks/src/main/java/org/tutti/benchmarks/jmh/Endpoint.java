/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.jmh;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.DeviceMemory;
import org.tutti.rdma.Gid;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.WorkCompletion;

/**
 * One end of a reliable connection, with a context of its own, and eight bytes to write to the other end. Used by one
 * thread at a time. The provider is {@code shm}, or what {@code -jvmArgsAppend -Dtutti.benchmark.provider=} says.
 */
final class Endpoint implements AutoCloseable
{
    static final int DEPTH = 128;
    private static final int PAYLOAD = Long.BYTES;
    private static final int LENGTH = 4096;
    private static final int SENT_OFFSET = 64;

    private final Context context;
    private final ProtectionDomain domain;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final DeviceMemory memory;
    private final MemoryRegion region;
    private final UnsafeBuffer requests = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(SendWorkRequest.SIZE + 1024, 64));
    private final SendWorkRequest send = new SendWorkRequest();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private final WorkCompletion completion = new WorkCompletion();
    private final long sendAddress;
    private final long receiveAddress;
    private final long completionAddress;

    Endpoint()
    {
        final RdmaProvider provider = RdmaProvider.load(System.getProperty("tutti.benchmark.provider", "shm"));
        final Device device = provider.devices().getFirst();
        context = device.open();
        domain = context.allocateProtectionDomain();
        cq = context.createCompletionQueue(4 * DEPTH, null);
        qp = domain.createQueuePair(QueuePairInitAttributes.reliable(cq, DEPTH, DEPTH, 1, 64));
        memory = context.allocateMemory(LENGTH);
        region = domain.registerMemory(memory.address(), memory.length(), AccessFlags.ALL);

        final int entryOffset = SendWorkRequest.SIZE;
        final int receiveOffset = entryOffset + ScatterGatherEntry.SIZE;
        final int completionOffset = receiveOffset + ReceiveWorkRequest.SIZE;
        final ScatterGatherEntry entry = new ScatterGatherEntry();
        entry.wrap(requests, entryOffset).set(memory.address() + SENT_OFFSET, PAYLOAD, region.lkey());
        send.wrap(requests, 0).clear().sgList(requests.addressOffset() + entryOffset, 1);
        receive.wrap(requests, receiveOffset).clear();
        completion.wrap(requests, completionOffset);
        sendAddress = requests.addressOffset();
        receiveAddress = requests.addressOffset() + receiveOffset;
        completionAddress = requests.addressOffset() + completionOffset;
    }

    void connect(final Endpoint peer)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.INIT;
        attributes.accessFlags = AccessFlags.ALL;
        qp.modify(attributes, QueuePairAttributeMask.RC_INIT);

        final Gid gid = peer.context.queryGid(1, 0);
        attributes.state = QueuePairState.RTR;
        attributes.path = new AddressHandleAttributes(
            true, gid, 0, 1, peer.context.queryPort(1).lid, 0, 1);
        attributes.pathMtu = context.queryPort(1).activeMtu;
        attributes.destQpNum = peer.qp.qpNum();
        attributes.maxDestRdAtomic = 1;
        attributes.minRnrTimer = 12;
        qp.modify(attributes, QueuePairAttributeMask.RC_RTR);

        attributes.state = QueuePairState.RTS;
        attributes.timeout = 14;
        attributes.retryCount = 7;
        attributes.rnrRetry = 7;
        attributes.maxRdAtomic = 1;
        qp.modify(attributes, QueuePairAttributeMask.RC_RTS);
        send.rdma(peer.memory.address(), peer.region.rkey());
    }

    void postWrite(final boolean signaled)
    {
        send.opcode(SendOpcode.RDMA_WRITE).sendFlags(SendFlags.INLINE | (signaled ? SendFlags.SIGNALED : 0));
        require(qp.postSend(sendAddress));
    }

    void postWriteWithImmediate(final boolean signaled)
    {
        send.opcode(SendOpcode.RDMA_WRITE_WITH_IMM)
            .sendFlags(SendFlags.INLINE | (signaled ? SendFlags.SIGNALED : 0));
        require(qp.postSend(sendAddress));
    }

    void postReceive()
    {
        require(qp.postReceive(receiveAddress));
    }

    /**
     * Takes one completion, if there is one.
     *
     * @return whether there was one.
     */
    boolean poll()
    {
        final int polled = cq.poll(completionAddress, 1);
        if (polled < 0 || (polled == 1 && !completion.isSuccess()))
        {
            throw new IllegalStateException("polled=" + polled + " status=" + completion.status());
        }
        return polled == 1;
    }

    /**
     * Whether the completion just polled is that of a receive request.
     *
     * @return false for a send request's.
     */
    boolean isReceive()
    {
        return (completion.opcode() & CompletionOpcode.RECV) != 0;
    }

    private void require(final int errno)
    {
        if (errno != 0)
        {
            throw new IllegalStateException("errno=" + errno + " state=" + qp.state());
        }
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
}
