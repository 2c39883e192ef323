/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.NodeType;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.TransportType;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.rdma.QueuePairAttributeMask.RC_INIT;
import static org.tutti.rdma.QueuePairAttributeMask.RC_RTR;

/** Tests the verbs provider on a device beyond the contract: queries, messages, allocations, threads. */
@Tag("soft-roce")
@Timeout(60)
class VerbsDeviceTest
{
    private static final long SOON_NS = 10_000_000_000L;

    private Context context;
    private ProtectionDomain domain;
    private CompletionChannel channel;
    private CompletionQueue queue;

    @BeforeEach
    void open()
    {
        context = new VerbsFixture().open();
        domain = context.allocateProtectionDomain();
        channel = context.createCompletionChannel();
        queue = context.createCompletionQueue(64, channel);
    }

    @AfterEach
    void close()
    {
        queue.close();
        channel.close();
        domain.close();
        context.close();
    }

    @Test
    void shouldDescribeSoftRoce()
    {
        assertEquals("rxe0", context.device().name());
        assertEquals(NodeType.CA, context.device().nodeType());
        assertEquals(TransportType.INFINIBAND, context.device().transportType());
        assertEquals(LinkLayer.ETHERNET, context.queryPort(1).linkLayer);
        assertEquals(4096, context.queryPort(1).activeMtu);
        final GidEntry source = TestPort.source(context);
        assertEquals(1, source.index());
        assertEquals(GidType.ROCE_V2, source.type());
        assertEquals(new Gid(0, 0xFFFF_0A4D_0001L), source.gid());
        assertTrue(source.interfaceIndex() > 0, source::toString);
    }

    @Test
    void shouldSurviveWhenObjectsAreClosedDuringUse() throws InterruptedException
    {
        for (int i = 0; i < 10; i++)
        {
            final CompletionQueue shared = context.createCompletionQueue(64, null);
            final AtomicReference<Throwable> failure = new AtomicReference<>();
            final Loop loop = new Loop(context, domain, shared);
            final CountDownLatch used = new CountDownLatch(100);
            final Thread user = new Thread(() -> useUntilClosed(loop.queuePair(), shared, used), "user");
            user.setUncaughtExceptionHandler((thread, ex) -> failure.set(ex));
            user.start();
            assertTrue(used.await(SOON_NS, TimeUnit.NANOSECONDS));
            loop.close();
            shared.close();
            user.join();
            assertNull(failure.get());
        }
    }

    private static void useUntilClosed(
        final QueuePair queuePair, final CompletionQueue shared, final CountDownLatch used)
    {
        final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(256));
        while (shared.poll(memory.addressOffset(), 1) >= 0)
        {
            // The request has length 0 and is unsignaled.
            queuePair.postSend(memory.addressOffset() + 64);
            used.countDown();
        }
    }

    @Test
    void shouldWakeWaitingThreadWhenChannelIsClosed() throws InterruptedException
    {
        final CompletionChannel other = context.createCompletionChannel();
        final AtomicReference<CompletionQueue> woken = new AtomicReference<>(queue);
        final Thread sleeper = new Thread(() -> woken.set(other.awaitEvent(3600 * SOON_NS)), "sleeper");
        sleeper.start();
        SleepingThread.await(sleeper);
        other.close();
        sleeper.join();
        assertNull(woken.get());
    }

    @Test
    void shouldNameLimitWhenQueuePairExceedsIt()
    {
        final int most = context.queryDevice().maxSge;
        final RdmaException ex = assertThrows(RdmaException.class, () ->
            domain.createQueuePair(QueuePairInitAttributes.reliable(queue, 1, 1, most + 1, 0)));
        assertTrue(ex.getMessage().contains("max_send_sge " + (most + 1) + " is not from 0 to " + most),
            ex::getMessage);
    }

    @Test
    void shouldReportDeviceLimitWhenRequestExceedsIt()
    {
        final DeviceAttributes limits = context.queryDevice();

        assertRefused("max_send_wr " + (limits.maxWorkRequests + 1) + " is not from 0 to " + limits.maxWorkRequests,
            () -> domain.createQueuePair(
                QueuePairInitAttributes.reliable(queue, limits.maxWorkRequests + 1, 1, 1, 0)));
        assertRefused("max_inline_data 1000000 is not from 0 to " + limits.maxInlineData,
            () -> domain.createQueuePair(QueuePairInitAttributes.reliable(queue, 1, 1, 1, 1_000_000)));
        assertRefused("cqe " + (limits.maxCqe + 1) + " is not from 1 to " + limits.maxCqe,
            () -> context.createCompletionQueue(limits.maxCqe + 1, null));
        assertRefused("max_wr " + (limits.maxSharedWorkRequests + 1) + " is not from 1 to " +
            limits.maxSharedWorkRequests,
            () -> domain.createSharedReceiveQueue(limits.maxSharedWorkRequests + 1, 1));
    }

    /** This driver accepts regions of any length (its max_mr_size is 2^64 - 1): the limit is the mapped memory. */
    @Test
    void shouldReportUnmappedMemoryWhenRegionIsTooLong()
    {
        try (AllocatedMemory memory = context.allocateMemory(4096))
        {
            final long length = 1L << 42;
            assertRefused("ibv_reg_mr: " + length + " bytes at 0x" + Long.toHexString(memory.address()) +
                " are not all mapped in this process", () ->
                    domain.registerMemory(memory.address(), length, AccessFlags.ALL));
        }
        assertEquals(-1L, context.queryDevice().maxMemoryRegionLength);
    }

    private static void assertRefused(final String reason, final Executable call)
    {
        final RdmaException ex = assertThrows(RdmaException.class, call);
        assertTrue(ex.getMessage().contains(reason), ex::getMessage);
    }

    @Test
    void shouldAlignLargeMemoryToHugePages()
    {
        try (AllocatedMemory memory = context.allocateMemory(5 << 20))
        {
            assertEquals(0, memory.address() % (2 << 20));
            assertEquals(5 << 20, memory.length());
        }
    }

    @Test
    void shouldReportReasonWhenPathIsRejected()
    {
        final Gid linkLocal = new Gid(0xFE80L << 48, 77);
        assertPathRefused(TestPort.source(context).gid(), 200, "that entry of the GID table is empty");
        assertPathRefused(linkLocal, 1, "their types differ");
    }

    private void assertPathRefused(final Gid destination, final int index, final String reason)
    {
        try (QueuePair qp = domain.createQueuePair(QueuePairInitAttributes.reliable(queue, 1, 1, 1, 0)))
        {
            final QueuePairAttributes attributes = new QueuePairAttributes();
            attributes.state = QueuePairState.INIT;
            qp.modify(attributes, RC_INIT);
            attributes.state = QueuePairState.RTR;
            attributes.destQpNum = qp.qpNum();
            attributes.path = new AddressHandleAttributes(true, destination, index, 64, 0, 0, 1);
            final RdmaException ex = assertThrows(RdmaException.class, () -> qp.modify(attributes, RC_RTR));
            assertTrue(ex.getMessage().contains(reason), ex::getMessage);
        }
    }
}
