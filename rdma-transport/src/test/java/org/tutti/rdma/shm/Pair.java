/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.Gid;
import org.tutti.rdma.MemoryRegion;
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
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.soft.segment.ControlLayout;

/**
 * One end of a reliable connection, with memory for data first and for requests after it. Closes all that it opened.
 */
final class Pair implements AutoCloseable
{
    static final int QUEUE = 64;
    private static final int REQUESTS_LENGTH = 4096;

    final Context context;
    final CompletionChannel channel;
    final CompletionQueue cq;
    final ProtectionDomain domain;
    final AllocatedMemory memory;
    final MemoryRegion region;
    final QueuePair qp;
    final UnsafeBuffer buffer;
    final SendWorkRequest send = new SendWorkRequest();
    final ScatterGatherEntry entry = new ScatterGatherEntry();
    final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    final WorkCompletion completion = new WorkCompletion();
    final long completionAddress;

    Pair(final ShmProvider provider, final int dataLength)
    {
        context = provider.devices().getFirst().open();
        channel = context.createCompletionChannel();
        cq = context.createCompletionQueue(2 * QUEUE, channel);
        domain = context.allocateProtectionDomain();
        memory = context.allocateMemory(dataLength + REQUESTS_LENGTH);
        region = domain.registerMemory(memory.address(), memory.length(), AccessFlags.ALL);
        qp = domain.createQueuePair(QueuePairInitAttributes.reliable(cq, QUEUE, QUEUE, 1, 64));
        buffer = new UnsafeBuffer(memory.address(), (int)memory.length());
        send.wrap(buffer, dataLength).clear();
        entry.wrap(buffer, dataLength + SendWorkRequest.SIZE);
        receive.wrap(buffer, dataLength + 256).clear();
        completion.wrap(buffer, dataLength + 512);
        completionAddress = memory.address() + dataLength + 512;
        send.sgList(buffer.addressOffset() + dataLength + SendWorkRequest.SIZE, 1);
    }

    void connect(final int destQpNum)
    {
        connect(destQpNum, pathTo(destQpNum));
    }

    static AddressHandleAttributes pathTo(final int qpNum)
    {
        return new AddressHandleAttributes(false, Gid.ZERO, 0, 0, ControlLayout.contextIndex(qpNum) + 1, 0, 1);
    }

    void connect(final int destQpNum, final AddressHandleAttributes path)
    {
        connect(qp, destQpNum, path);
    }

    static void connect(final QueuePair qp, final int destQpNum, final AddressHandleAttributes path)
    {
        connect(qp, QueuePairType.RC, destQpNum, path);
    }

    /** Moves the queue pair from RESET to RTS, with Q_Key 0 for datagrams. */
    static void connect(final QueuePair qp, final QueuePairType type, final int destQpNum)
    {
        connect(qp, type, destQpNum, pathTo(destQpNum));
    }

    private static void connect(
        final QueuePair qp, final QueuePairType type, final int destQpNum, final AddressHandleAttributes path)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.accessFlags = AccessFlags.ALL;
        attributes.destQpNum = destQpNum;
        attributes.path = path;
        attributes.maxDestRdAtomic = 1;
        attributes.minRnrTimer = 1;
        attributes.rnrRetry = 7;
        attributes.retryCount = 7;
        attributes.timeout = 14;
        attributes.maxRdAtomic = 1;
        QueuePairSetup.toReadyToSend(qp, type, attributes);
    }

    void postReceive()
    {
        final int errno = qp.postReceive(receive.nativeAddress());
        if (errno != 0)
        {
            throw new IllegalStateException("errno " + errno);
        }
    }

    /** Prepares an inline write of 8 bytes with immediate; the data is at the start of the memory. */
    void prepareWrite(final long remoteAddress, final int rkey)
    {
        entry.set(memory.address(), 8, region.lkey());
        send.opcode(SendOpcode.RDMA_WRITE_WITH_IMM).rdma(remoteAddress, rkey);
    }

    void postSend(final boolean isSignaled)
    {
        send.sendFlags(SendFlags.INLINE | (isSignaled ? SendFlags.SIGNALED : 0));
        final int errno = qp.postSend(send.nativeAddress());
        if (errno != 0)
        {
            throw new IllegalStateException("errno " + errno);
        }
    }

    int poll()
    {
        return cq.poll(completionAddress, 1);
    }

    /** Polls until a completion arrives, or fails after a time limit. */
    void await()
    {
        while (poll() == 0)
        {
            if (Thread.interrupted())
            {
                throw new IllegalStateException("timed out without a completion");
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close()
    {
        qp.close();
        region.close();
        memory.close();
        domain.close();
        cq.close();
        channel.close();
        context.close();
    }
}
