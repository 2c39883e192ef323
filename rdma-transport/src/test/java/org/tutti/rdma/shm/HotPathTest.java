/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.SharedReceiveQueue;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;

class HotPathTest
{
    private static final int DATA_LENGTH = 4096;
    private static final int EXCHANGES = 20_000;
    private static final int ROUNDS = 10;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @CsvSource({
        SendOpcode.RDMA_WRITE_WITH_IMM + ",true", SendOpcode.RDMA_WRITE_WITH_IMM + ",false",
        SendOpcode.RDMA_WRITE + ",true", SendOpcode.SEND + ",true", SendOpcode.SEND + ",false",
        SendOpcode.RDMA_READ + ",false", SendOpcode.ATOMIC_FETCH_AND_ADD + ",false"
    })
    void shouldAllocateNothingWhenPostingAndPolling(final int opcode, final boolean isInline)
    {
        final ShmProvider provider = new ShmProvider((Path)null);
        try (Pair sender = new Pair(provider, DATA_LENGTH); Pair receiver = new Pair(provider, DATA_LENGTH))
        {
            sender.connect(receiver.qp.qpNum());
            receiver.connect(sender.qp.qpNum());
            prepare(sender, receiver, opcode, isInline);
            final boolean isReceived = opcode == SendOpcode.RDMA_WRITE_WITH_IMM || opcode == SendOpcode.SEND;

            // The first rounds load classes; a single round may be disturbed, but not all of them.
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS && least != 0; round++)
            {
                final long before = threads.getCurrentThreadAllocatedBytes();
                exchange(sender, receiver, isReceived);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertEquals(0, least, "bytes allocated by " + EXCHANGES + " exchanges");
        }
    }

    @ParameterizedTest
    @CsvSource({"RC", "UC", "UD"})
    void shouldAllocateNothingWithSharedReceives(final QueuePairType type)
    {
        final ShmProvider provider = new ShmProvider((Path)null);
        try (Pair sender = new Pair(provider, DATA_LENGTH); Pair receiver = new Pair(provider, DATA_LENGTH);
            SharedReceiveQueue shared = receiver.domain.createSharedReceiveQueue(4, 1);
            QueuePair from = sender.domain.createQueuePair(new QueuePairInitAttributes(
                type, sender.cq, sender.cq, null, 4, 4, 1, 1, 64, false));
            QueuePair to = receiver.domain.createQueuePair(new QueuePairInitAttributes(
                type, receiver.cq, receiver.cq, shared, 4, 0, 1, 1, 64, false));
            AddressHandle handle = sender.domain.createAddressHandle(Pair.pathTo(to.qpNum())))
        {
            Pair.connect(from, type, to.qpNum());
            Pair.connect(to, type, from.qpNum());
            sender.prepareWrite(0, 0);
            sender.send.opcode(SendOpcode.SEND).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
            if (type == QueuePairType.UD)
            {
                sender.send.datagram(handle.handle(), to.qpNum(), 0);
            }
            receiver.entry.set(receiver.memory.address(), 64, receiver.region.lkey());
            receiver.receive.sgList(receiver.memory.address() + DATA_LENGTH + SendWorkRequest.SIZE, 1);

            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS && least != 0; round++)
            {
                final long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < EXCHANGES; i++)
                {
                    final int errno = shared.postReceive(receiver.receive.nativeAddress()) +
                        from.postSend(sender.send.nativeAddress());
                    if (errno != 0)
                    {
                        throw new IllegalStateException("refused");
                    }
                    await(sender);
                    await(receiver);
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertEquals(0, least, "bytes allocated by " + EXCHANGES + " exchanges");
        }
    }

    private static void prepare(
        final Pair sender, final Pair receiver, final int opcode, final boolean isInline)
    {
        sender.entry.set(sender.memory.address(), 8, sender.region.lkey());
        sender.send.opcode(opcode).sendFlags(SendFlags.SIGNALED | (isInline ? SendFlags.INLINE : 0));
        if (opcode == SendOpcode.ATOMIC_FETCH_AND_ADD)
        {
            sender.send.atomic(receiver.memory.address(), receiver.region.rkey(), 1, 0);
        }
        else
        {
            sender.send.rdma(receiver.memory.address(), receiver.region.rkey());
        }
        receiver.entry.set(receiver.memory.address(), 8, receiver.region.lkey());
        receiver.receive.sgList(receiver.memory.address() + DATA_LENGTH + SendWorkRequest.SIZE, 1);
    }

    private static void exchange(final Pair sender, final Pair receiver, final boolean isReceived)
    {
        for (int i = 0; i < EXCHANGES; i++)
        {
            if (isReceived)
            {
                receiver.postReceive();
            }
            if (sender.qp.postSend(sender.send.nativeAddress()) != 0)
            {
                throw new IllegalStateException("refused");
            }
            receiver.cq.requestNotify(false);
            await(sender);
            if (isReceived)
            {
                await(receiver);
            }
        }
    }

    private static void await(final Pair pair)
    {
        while (pair.poll() == 0)
        {
            Thread.onSpinWait();
        }
        if (!pair.completion.isSuccess())
        {
            throw new IllegalStateException(pair.completion.status().text());
        }
    }
}
