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
import org.junit.jupiter.api.function.Executable;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.PortState;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.os.MemoryCalls;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests creation, limits and closing of verbs objects. */
@Timeout(60)
abstract class ObjectContract extends Contract
{
    private static final long SOON_NS = 10_000_000_000L;

    private final UnsafeBuffer requests = new UnsafeBuffer(ByteBuffer.allocateDirect(512));
    private Context context;
    private ProtectionDomain domain;
    private CompletionChannel channel;
    private CompletionQueue queue;
    private AllocatedMemory memory;

    @BeforeEach
    void openAll()
    {
        context = open();
        domain = context.allocateProtectionDomain();
        channel = context.createCompletionChannel();
        queue = context.createCompletionQueue(16, channel);
        memory = context.allocateMemory(100_000);
    }

    @AfterEach
    void closeAll()
    {
        queue.close();
        channel.close();
        memory.close();
        domain.close();
        context.close();
    }

    @Test
    void shouldDescribeDeviceAndPort()
    {
        needs(Feature.LARGE_REGIONS);
        final DeviceAttributes device = context.queryDevice();
        assertEquals(context.device().guid(), device.nodeGuid);
        assertNotEquals(0, device.nodeGuid);
        assertTrue(device.maxWorkRequests > 0 && device.maxSge > 0 && device.maxCqe > 0);
        assertTrue(Long.compareUnsigned(device.maxMemoryRegionLength, 1L << 31) > 0);
        final PortAttributes port = context.queryPort(1);
        assertEquals(PortState.ACTIVE, port.state);
        assertNotEquals(Gid.ZERO, context.queryGid(1, 0));
        assertRefused(Errno.EINVAL, () -> context.queryPort(0));
        assertRefused(Errno.EINVAL, () -> context.queryPort(device.physicalPorts + 1));
        assertRefused(Errno.EINVAL, () -> context.queryGid(1, -1));
        assertRefused(Errno.EINVAL, () -> context.queryGid(1, port.gidTableLength));
    }

    @Test
    void shouldReportMissingOnDemandPaging()
    {
        final int access = AccessFlags.LOCAL_WRITE | AccessFlags.ON_DEMAND;
        if (context.queryDevice().onDemandPaging)
        {
            domain.registerMemory(memory.address(), 64, access).close();
            return;
        }
        final RdmaException ex = assertThrows(RdmaException.class, () ->
            domain.registerMemory(memory.address(), 64, access));
        assertEquals(Errno.EOPNOTSUPP, ex.errno());
        assertTrue(ex.getMessage().contains("without ON_DEMAND"), ex::getMessage);
    }

    @Test
    void shouldIgnoreRelaxedOrderingWhenUnsupported()
    {
        try (MemoryRegion region = domain.registerMemory(
            memory.address(), 64, AccessFlags.ALL | AccessFlags.RELAXED_ORDERING))
        {
            assertEquals(memory.address(), region.address());
        }
    }

    @Test
    void shouldAddressZeroBasedRegionFromItsStart()
    {
        final int zeroBased = AccessFlags.ALL | AccessFlags.ZERO_BASED;
        if (!can(Feature.ZERO_BASED_REGIONS))
        {
            assertRefused(Errno.EOPNOTSUPP, () -> domain.registerMemory(memory.address(), 8192, zeroBased));
        }
        needs(Feature.ZERO_BASED_REGIONS);
        try (Loop loop = new Loop(context, domain, queue);
            MemoryRegion region = domain.registerMemory(memory.address(), 8192, zeroBased))
        {
            memory.segment().set(ValueLayout.JAVA_LONG, 4096, 4711);
            loop.write(1, region, 4096, region, 64);
            final WorkCompletion completion = new WorkCompletion().wrap(requests, 0);
            final long startNs = System.nanoTime();
            while (queue.poll(requests.addressOffset(), 1) == 0)
            {
                assertTrue(System.nanoTime() - startNs < SOON_NS, "no completion");
            }
            assertEquals(WorkCompletionStatus.SUCCESS, completion.status());
            assertEquals(4711, memory.segment().get(ValueLayout.JAVA_LONG, 64));
            assertRefused(Errno.EINVAL, () -> domain.registerMemory(memory.address() + 8, 64, zeroBased));
        }
    }

    @Test
    void shouldAllocateZeroedPageAlignedMemory()
    {
        assertEquals(0, memory.address() % 4096);
        assertTrue(memory.length() >= 100_000);
        final MemorySegment segment = memory.segment();
        assertEquals(-1, segment.mismatch(MemorySegment.ofArray(new byte[(int)segment.byteSize()])));
        segment.set(ValueLayout.JAVA_BYTE, segment.byteSize() - 1, (byte)1);
        assertRefused(Errno.EINVAL, () -> context.allocateMemory(0));
        assertRefused(Errno.EINVAL, () -> context.allocateMemory(-1));
    }

    @Test
    void shouldKeepPartsOfMemoryWhenClosed()
    {
        // So long that nothing else is mapped at once where it began.
        final long length = 64 << 20;
        final long offset = length / 2;
        final AllocatedMemory kept;
        try (Context other = open(); ProtectionDomain pd = other.allocateProtectionDomain())
        {
            kept = other.allocateMemory(length);
            try (MemoryRegion region = pd.registerMemory(kept.address(), 4096, AccessFlags.ALL))
            {
                assertEquals(4096, region.length());
                assertRefused(Errno.EBUSY, () -> kept.closeExcept(offset, 4096));
            }
            kept.segment().asSlice(offset, 4096).fill((byte)7);
            kept.closeExcept(offset, 4096);
            kept.close();
        }
        final MemorySegment part = MemorySegment.ofAddress(kept.address() + offset).reinterpret(4096);
        assertFalse(MemoryCalls.isMapped(kept.address(), 4096));
        assertEquals(7, part.get(ValueLayout.JAVA_BYTE, 4095));
        part.fill((byte)8);
        assertEquals(8, part.get(ValueLayout.JAVA_BYTE, 0));
        MemoryCalls.unmap(part.address(), 4096);
    }

    @Test
    void shouldReportWhenHostIsOutOfMemory()
    {
        final RdmaException ex = assertThrows(RdmaException.class, () -> context.allocateMemory(1L << 50));
        assertEquals(Errno.ENOMEM, ex.errno(), ex::getMessage);
        assertTrue(ex.getMessage().contains(String.valueOf(1L << 50)), ex::getMessage);
        context.allocateMemory(4096).close();
    }

    @Test
    void shouldRejectRegistrationWhenArgumentsAreInvalid()
    {
        assertRefused(Errno.EINVAL, () -> register(0, AccessFlags.ALL));
        assertRefused(Errno.EINVAL, () -> register(-1, AccessFlags.ALL));
        assertRefused(Errno.EINVAL, () -> register(64, AccessFlags.REMOTE_WRITE));
        assertRefused(Errno.EINVAL, () -> register(64, AccessFlags.REMOTE_ATOMIC | AccessFlags.REMOTE_READ));
        assertRefused(Errno.EINVAL, () -> register(64, 1 << 30));
    }

    @Test
    void shouldDescribeARegion()
    {
        try (MemoryRegion first = register(64, AccessFlags.LOCAL_WRITE);
            MemoryRegion second = register(64, AccessFlags.LOCAL_WRITE))
        {
            assertEquals(memory.address(), first.address());
            assertEquals(64, first.length());
            assertEquals(AccessFlags.LOCAL_WRITE, first.access());
            assertSame(domain, first.protectionDomain());
            assertNotEquals(first.lkey(), second.lkey());
        }
        try (MemoryRegion first = register(64, AccessFlags.ALL); MemoryRegion second = register(64, AccessFlags.ALL))
        {
            assertNotEquals(first.rkey(), second.rkey());
        }
    }

    @Test
    void shouldRegisterUserMemory()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment segment = arena.allocate(1000, 8);
            try (MemoryRegion region = domain.registerMemory(segment.address(), 1000,
                AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE))
            {
                assertEquals(segment.address(), region.address());
            }
        }
    }

    @Test
    void shouldRejectCloseWhenChildrenAreOpen()
    {
        final MemoryRegion region = register(64, AccessFlags.ALL);
        assertRefused(Errno.EBUSY, domain::close);
        assertRefused(Errno.EBUSY, memory::close);
        region.close();
        region.close();

        final QueuePair qp = domain.createQueuePair(attributes());
        assertRefused(Errno.EBUSY, domain::close);
        assertRefused(Errno.EBUSY, queue::close);
        qp.close();
        qp.close();

        assertRefused(Errno.EBUSY, channel::close);
        assertRefused(Errno.EBUSY, context::close);
        queue.close();
        queue.close();
        channel.close();
        channel.close();
        assertRefused(Errno.EBUSY, context::close);
        memory.close();
        memory.close();
        domain.close();
        domain.close();
        context.close();
        context.close();
    }

    @Test
    void shouldRejectUseWhenObjectIsClosed()
    {
        final SendWorkRequest send = new SendWorkRequest().wrap(requests, 0).clear();
        final ReceiveWorkRequest receive = new ReceiveWorkRequest().wrap(requests, SendWorkRequest.SIZE).clear();
        final QueuePairAttributes values = new QueuePairAttributes();
        final QueuePair qp = domain.createQueuePair(attributes());
        qp.close();
        closeAll();

        // The context is closed too, so none of its memory is mapped.
        qp.close();
        assertEquals(Errno.EINVAL, qp.postSend(send.nativeAddress()));
        assertEquals(Errno.EINVAL, qp.postReceive(receive.nativeAddress()));
        assertRefused(Errno.EINVAL, qp::state);
        assertRefused(Errno.EINVAL, () -> qp.query(values));
        assertRefused(Errno.EINVAL, () -> qp.modify(values, QueuePairAttributeMask.RC_INIT));
        assertEquals(0, qp.loadStoreAddress(4096, 1, 1, AccessFlags.REMOTE_READ));
        assertEquals(-Errno.EINVAL, queue.poll(requests.addressOffset(), 1));
        assertRefused(Errno.EINVAL, () -> queue.requestNotify(false));
        assertNull(channel.awaitEvent(0));
        assertNull(context.awaitAsyncEvent(0));
        assertRefused(Errno.EINVAL, () -> domain.createQueuePair(attributes()));
        assertRefused(Errno.EINVAL, () -> domain.registerMemory(requests.addressOffset(), 64, 0));
        assertRefused(Errno.EINVAL, () -> context.allocateMemory(4096));
    }

    @Test
    void shouldReportRejectedRequestsPerQueue()
    {
        final SendWorkRequest send = new SendWorkRequest().wrap(requests, 0).clear();
        final ReceiveWorkRequest receive = new ReceiveWorkRequest().wrap(requests, SendWorkRequest.SIZE).clear();
        try (QueuePair qp = domain.createQueuePair(attributes()))
        {
            assertEquals(Errno.EINVAL, qp.postSend(send.nativeAddress()));
            assertEquals(Errno.EINVAL, qp.postReceive(receive.nativeAddress()));
            assertEquals(send.nativeAddress(), qp.badSendRequest());
            assertEquals(receive.nativeAddress(), qp.badReceiveRequest());
        }
    }

    @Test
    void shouldRejectRegistrationWhenMemoryIsNotMapped() throws IOException
    {
        needs(Feature.LARGE_REGIONS);
        final int access = AccessFlags.LOCAL_WRITE;
        final MemorySegment segment;
        try (Arena arena = Arena.ofConfined(); FileChannel file = FileChannel.open(Path.of("/proc/self/exe")))
        {
            segment = file.map(FileChannel.MapMode.READ_ONLY, 0, 4096, arena);
            if (has(Quirk.READ_ONLY_FILES_CANNOT_BE_PINNED))
            {
                assertRefused(Errno.EFAULT, () -> domain.registerMemory(segment.address(), 4096, 0));
            }
            else
            {
                domain.registerMemory(segment.address(), 4096, 0).close();
            }
        }
        assertRefused(Errno.EFAULT, () -> domain.registerMemory(segment.address(), 4096, 0));
        assertRefused(Errno.EFAULT, () -> domain.registerMemory(16, 4096, access));
        assertRefused(Errno.EFAULT, () -> domain.registerMemory(memory.address(), Long.MAX_VALUE, access));
    }

    @Test
    void shouldRejectRequestsWhenOnTheHeap()
    {
        final UnsafeBuffer heap = new UnsafeBuffer(new byte[256]);
        assertThrows(IllegalArgumentException.class, () -> new SendWorkRequest().wrap(heap, 0));
        assertThrows(IllegalArgumentException.class, () -> new ReceiveWorkRequest().wrap(heap, 0));
        assertThrows(IllegalArgumentException.class, () -> new ScatterGatherEntry().wrap(heap, 0));
    }

    @Test
    void shouldRejectQueuePairWhenLimitsAreExceeded()
    {
        final DeviceAttributes device = context.queryDevice();
        final int tooMany = device.maxWorkRequests + 1;
        final int tooLong = device.maxSge + 1;

        assertRefused(Errno.EINVAL, () -> create(tooMany, 1, 1, 1, 0));
        assertRefused(Errno.EINVAL, () -> create(1, tooMany, 1, 1, 0));
        assertRefused(Errno.EINVAL, () -> create(1, 1, tooLong, 1, 0));
        assertRefused(Errno.EINVAL, () -> create(1, 1, 1, tooLong, 0));
        assertRefused(Errno.EINVAL, () -> create(1, 1, 1, 1, device.maxInlineData + 1));
        assertRefused(Errno.EINVAL, () -> create(-1, 1, 1, 1, 0));
        assertRefused(Errno.EINVAL, () -> create(1, -1, 1, 1, 0));
    }

    @Test
    void shouldCreateQueuePairWhenLimitsAreReached()
    {
        final DeviceAttributes device = context.queryDevice();
        try (QueuePair largest = create(device.maxWorkRequests, 1, device.maxSge, 1, device.maxInlineData))
        {
            assertEquals(QueuePairState.RESET, largest.state());
        }
    }

    @Test
    void shouldAssignUniqueQueuePairNumbers()
    {
        try (QueuePair first = domain.createQueuePair(attributes());
            QueuePair second = domain.createQueuePair(attributes()))
        {
            assertNotEquals(first.qpNum(), second.qpNum());
            assertEquals(0, first.qpNum() >>> 24);
        }
    }

    @Test
    void shouldNotReuseQueuePairNumberImmediately()
    {
        final Set<Integer> numbers = new HashSet<>();
        for (int i = 0; i < 10; i++)
        {
            final QueuePair qp = domain.createQueuePair(attributes());
            assertTrue(numbers.add(qp.qpNum()), "number " + qp.qpNum());
            qp.close();
        }
    }

    @Test
    void shouldRejectCompletionQueueWhenLimitsAreExceeded()
    {
        assertTrue(queue.capacity() >= 16);
        assertRefused(Errno.EINVAL, () -> context.createCompletionQueue(0, null));
        assertRefused(Errno.EINVAL, () -> context.createCompletionQueue(-1, null));
        assertRefused(Errno.EINVAL, () -> context.createCompletionQueue(context.queryDevice().maxCqe + 1, null));
    }

    @Test
    void shouldRejectNotifyWhenQueueHasNoChannel()
    {
        try (CompletionQueue silent = context.createCompletionQueue(1, null))
        {
            assertRefused(Errno.EINVAL, () -> silent.requestNotify(false));
        }
    }

    @Test
    void shouldReturnWhenTimeoutExpires()
    {
        assertNull(channel.awaitEvent(0));
        assertNull(channel.awaitEvent(1_000_000));
        assertNull(context.awaitAsyncEvent(0));
        assertNull(context.awaitAsyncEvent(1_000_000));
    }

    @Test
    void shouldRejectObjectsOfAnotherContext()
    {
        try (Context other = open(); CompletionChannel foreign = other.createCompletionChannel();
            CompletionQueue foreignQueue = other.createCompletionQueue(1, null))
        {
            assertRefused(Errno.EINVAL, () -> context.createCompletionQueue(1, foreign));
            assertRefused(Errno.EINVAL,
                () -> domain.createQueuePair(QueuePairInitAttributes.reliable(foreignQueue, 1, 1, 1, 0)));
        }
    }

    @Test
    void shouldOpenAndCloseRepeatedly()
    {
        for (int i = 0; i < 50; i++)
        {
            try (Context other = open(); ProtectionDomain pd = other.allocateProtectionDomain();
                CompletionQueue cq = other.createCompletionQueue(8, null);
                QueuePair qp = pd.createQueuePair(QueuePairInitAttributes.reliable(cq, 8, 8, 1, 0));
                AllocatedMemory block = other.allocateMemory(4096);
                MemoryRegion region = pd.registerMemory(block.address(), 4096, AccessFlags.ALL))
            {
                assertEquals(QueuePairState.RESET, qp.state());
                assertEquals(4096, region.length());
            }
        }
    }

    private MemoryRegion register(final long length, final int access)
    {
        return domain.registerMemory(memory.address(), length, access);
    }

    private QueuePairInitAttributes attributes()
    {
        return QueuePairInitAttributes.reliable(queue, 8, 8, 2, 32);
    }

    private QueuePair create(
        final int maxSend, final int maxReceive, final int sendSge, final int receiveSge, final int inline)
    {
        return domain.createQueuePair(new QueuePairInitAttributes(
            QueuePairType.RC, queue, queue, null, maxSend, maxReceive, sendSge, receiveSge, inline, false));
    }

    static void assertRefused(final int errno, final Executable call)
    {
        final RdmaException ex = assertThrows(RdmaException.class, call);
        assertEquals(errno, ex.errno(), ex::getMessage);
    }
}
