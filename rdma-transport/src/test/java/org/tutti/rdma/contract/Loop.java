/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.Errno;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairSetup;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;

import java.nio.ByteBuffer;

/** A reliable connection of two queue pairs of one context, for tests that need completions but no peer. */
final class Loop implements AutoCloseable
{
    private static final int MAX_SEND = 64;
    private static final int LENGTH = 4096;

    private final UnsafeBuffer requests =
        new UnsafeBuffer(ByteBuffer.allocateDirect(SendWorkRequest.SIZE + ScatterGatherEntry.SIZE));
    private final SendWorkRequest request = new SendWorkRequest().wrap(requests, 0);
    private final AllocatedMemory memory;
    private final MemoryRegion region;
    private final QueuePair queuePair;
    private final QueuePair other;

    Loop(final Context context, final ProtectionDomain domain, final CompletionQueue queue)
    {
        memory = context.allocateMemory(LENGTH);
        region = domain.registerMemory(memory.address(), LENGTH, AccessFlags.ALL);
        queuePair = domain.createQueuePair(QueuePairInitAttributes.reliable(queue, MAX_SEND, 1, 1, 0));
        other = domain.createQueuePair(QueuePairInitAttributes.reliable(queue, 1, 1, 1, 0));
        connect(context, queuePair, other);
        connect(context, other, queuePair);
        new ScatterGatherEntry().wrap(requests, SendWorkRequest.SIZE).set(region.address(), 8, region.lkey());
        request.clear().opcode(SendOpcode.RDMA_WRITE).sendFlags(SendFlags.SIGNALED)
            .sgList(request.nativeAddress() + SendWorkRequest.SIZE, 1).rdma(region.address() + 64, region.rkey());
    }

    private static void connect(final Context context, final QueuePair one, final QueuePair peer)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.accessFlags = AccessFlags.ALL;
        attributes.destQpNum = peer.qpNum();
        attributes.path = TestPort.path(context, TestPort.source(context).gid(), context.queryPort(1).lid);
        attributes.timeout = 14;
        attributes.retryCount = 7;
        QueuePairSetup.toReadyToSend(one, QueuePairType.RC, attributes);
    }

    /** Writes a few bytes, signaled; allocates nothing. */
    void write(final long wrId)
    {
        final int errno = queuePair.postSend(request.wrId(wrId).nativeAddress());
        if (errno != 0)
        {
            throw new IllegalStateException("refused: " + Errno.name(errno));
        }
    }

    /** Writes 8 bytes of a region, signaled, with the regions' own addressing. */
    void write(final long wrId, final MemoryRegion from, final long fromAddress, final MemoryRegion to,
        final long toAddress)
    {
        new ScatterGatherEntry().wrap(requests, SendWorkRequest.SIZE).set(fromAddress, 8, from.lkey());
        request.rdma(toAddress, to.rkey());
        write(wrId);
    }

    QueuePair queuePair()
    {
        return queuePair;
    }

    @Override
    public void close()
    {
        queuePair.close();
        other.close();
        region.close();
        memory.close();
    }
}
