/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairCapabilities;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.WorkCompletion;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.rdma.QueuePairAttributeMask.UD_INIT;
import static org.tutti.rdma.QueuePairAttributeMask.UD_RTR;
import static org.tutti.rdma.QueuePairAttributeMask.UD_RTS;
import static org.tutti.rdma.contract.ObjectContract.assertRefused;

/** Tests queries of devices, ports and queues, and resizing of completion queues. */
@Timeout(60)
abstract class QueryContract extends Contract
{
    private static final long SOON_NS = 10_000_000_000L;
    private static final int MAX_POLL = 64;

    private final UnsafeBuffer completions =
        new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_POLL * WorkCompletion.SIZE));
    private Context context;
    private ProtectionDomain domain;
    private CompletionChannel channel;
    private CompletionQueue queue;

    @BeforeEach
    void openAll()
    {
        context = open();
        domain = context.allocateProtectionDomain();
        channel = context.createCompletionChannel();
        queue = context.createCompletionQueue(16, channel);
    }

    @AfterEach
    void closeAll()
    {
        queue.close();
        channel.close();
        domain.close();
        context.close();
    }

    @Test
    void shouldReportLimitsThatCanBeUsed()
    {
        final DeviceAttributes device = context.queryDevice();
        assertTrue(device.maxQueuePairs > 0 && device.maxCompletionQueues > 0 && device.maxMemoryRegions > 0);
        assertTrue(device.maxProtectionDomains > 0 && device.physicalPorts > 0 && device.maxPkeys > 0);
        assertTrue(device.maxRdAtomic > 0 && device.maxInitRdAtomic > 0);
        assertNotEquals(0, device.pageSizes);
        assertTrue(device.maxInlineData >= 0);
        assertTrue(context.completionVectors() >= 1);
        assertRefused(Errno.EINVAL, () -> context.createCompletionQueue(1, null, -1));
        assertRefused(Errno.EINVAL, () -> context.createCompletionQueue(1, null, context.completionVectors()));
    }

    @Test
    void shouldDescribeEveryPort()
    {
        final int ports = context.queryDevice().physicalPorts;
        for (int portNum = 1; portNum <= ports; portNum++)
        {
            final PortAttributes port = context.queryPort(portNum);
            assertTrue(port.activeMtu >= 256 && port.activeMtu <= port.maxMtu, "MTU " + port.activeMtu);
            assertTrue(port.maxMessageSize >= 1 << 20, "messages of " + port.maxMessageSize);
            assertTrue(port.gidTableLength > 0 && port.pkeyTableLength > 0);
            assertNotEquals(0, context.queryPkey(portNum, 0) & 0x7FFF);
        }
        assertRefused(Errno.EINVAL, () -> context.queryPkey(ports + 1, 0));
        assertRefused(Errno.EINVAL, () -> context.queryPkey(1, -1));
        assertRefused(Errno.EINVAL, () -> context.queryPkey(1, context.queryPort(1).pkeyTableLength));
        assertRefused(Errno.EINVAL, () -> context.queryGidTable(ports + 1));
    }

    @Test
    void shouldListTheGidsThatAreNotEmpty()
    {
        final List<GidEntry> table = context.queryGidTable(1);
        final Set<Integer> indices = new HashSet<>();
        for (final GidEntry entry : table)
        {
            assertEquals(context.queryGid(1, entry.index()), entry.gid());
            assertEquals(1, entry.portNum());
            assertTrue(indices.add(entry.index()), entry::toString);
        }
        for (int i = 0; i < context.queryPort(1).gidTableLength; i++)
        {
            assertEquals(indices.contains(i), !context.queryGid(1, i).equals(Gid.ZERO), "index " + i);
        }
    }

    @Test
    void shouldGrantAtLeastTheRequestedCapacities()
    {
        try (QueuePair qp = domain.createQueuePair(QueuePairInitAttributes.reliable(queue, 5, 7, 3, 16)))
        {
            final QueuePairCapabilities capabilities = qp.capabilities();
            assertTrue(capabilities.maxSendRequests() >= 5 && capabilities.maxReceiveRequests() >= 7,
                capabilities::toString);
            assertTrue(capabilities.maxSendSge() >= 3 && capabilities.maxReceiveSge() >= 3, capabilities::toString);
            assertTrue(capabilities.maxInlineData() >= 16, capabilities::toString);

            final QueuePairAttributes attributes = new QueuePairAttributes();
            qp.query(attributes);
            assertEquals(capabilities, attributes.capabilities);
            assertEquals(QueuePairState.RESET, attributes.state);
        }
    }

    @Test
    void shouldReportTheAttributesOfDatagrams()
    {
        needs(Feature.UNRELIABLE_SERVICES);
        try (QueuePair qp = domain.createQueuePair(new QueuePairInitAttributes(
            QueuePairType.UD, queue, queue, null, 4, 4, 1, 1, 0, false)))
        {
            final QueuePairAttributes attributes = new QueuePairAttributes();
            attributes.state = QueuePairState.INIT;
            attributes.qkey = 0x1234_5678;
            qp.modify(attributes, UD_INIT);
            attributes.state = QueuePairState.RTR;
            qp.modify(attributes, UD_RTR);
            attributes.state = QueuePairState.RTS;
            attributes.sqPsn = 0xABCDEF;
            qp.modify(attributes, UD_RTS);

            final QueuePairAttributes told = new QueuePairAttributes();
            qp.query(told);
            assertEquals(QueuePairState.RTS, told.state);
            assertEquals(0x1234_5678, told.qkey);
            assertEquals(0xABCDEF, told.sqPsn);
            assertEquals(1, told.portNum);
            assertEquals(0, told.pkeyIndex);
        }
    }

    @Test
    void shouldKeepCompletionsWhenQueueIsResized()
    {
        needs(Feature.RESIZING);
        try (Loop loop = new Loop(context, domain, queue))
        {
            for (int i = 0; i < 10; i++)
            {
                loop.write(i);
            }
            final List<Long> polled = new ArrayList<>(poll(4));
            queue.resize(200);
            assertTrue(queue.capacity() >= 200);
            for (int i = 10; i < 40; i++)
            {
                loop.write(i);
            }
            polled.addAll(poll(36));
            queue.resize(8);
            loop.write(40);
            polled.addAll(poll(1));

            final List<Long> expected = new ArrayList<>();
            for (long i = 0; i <= 40; i++)
            {
                expected.add(i);
            }
            assertEquals(expected, polled);
        }
    }

    @Test
    void shouldRejectResizeWhenCapacityIsInvalid()
    {
        needs(Feature.RESIZING);
        queue.resize(32);
        final int most = context.queryDevice().maxCqe;
        final int capacity = queue.capacity();
        assertRefused(Errno.EINVAL, () -> queue.resize(0));
        assertRefused(Errno.EINVAL, () -> queue.resize(-1));
        assertRefused(Errno.EINVAL, () -> queue.resize(most + 1));
        assertEquals(capacity, queue.capacity());
        try (Loop loop = new Loop(context, domain, queue))
        {
            for (int i = 0; i < 10; i++)
            {
                // The event proves that the completion exists, without taking it.
                queue.requestNotify(false);
                loop.write(i);
                assertSame(queue, channel.awaitEvent(SOON_NS));
            }
            assertRefused(Errno.EINVAL, () -> queue.resize(2));
            assertEquals(10, poll(10).size());
        }
    }

    private List<Long> poll(final int count)
    {
        final WorkCompletion completion = new WorkCompletion();
        final List<Long> wrIds = new ArrayList<>();
        final long startNs = System.nanoTime();
        while (wrIds.size() < count && System.nanoTime() - startNs < SOON_NS)
        {
            final int n = queue.poll(completions.addressOffset(), Math.min(MAX_POLL, count - wrIds.size()));
            assertTrue(n >= 0, "poll returns " + n);
            for (int i = 0; i < n; i++)
            {
                assertTrue(completion.wrap(completions, i * WorkCompletion.SIZE).isSuccess());
                wrIds.add(completion.wrId());
            }
        }
        return wrIds;
    }
}
