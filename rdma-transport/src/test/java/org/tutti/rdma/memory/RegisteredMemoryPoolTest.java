/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.MemoryCalls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RegisteredMemoryPoolTest
{
    private static final long MIB = 1 << 20;

    private final CountingDomain domain = new CountingDomain();
    private final RegisteredMemoryPool pool = new RegisteredMemoryPool(domain, MIB, 4 * MIB);

    @AfterEach
    void shouldLeaveNothingBehind()
    {
        pool.close();
        assertEquals(0, domain.mapped.size());
        assertEquals(0, domain.registered.size());
    }

    @Test
    void shouldMapNothingBeforeTheFirstBuffer()
    {
        assertEquals(0, pool.regionCount());
        assertEquals(0, domain.registrations);
    }

    @Test
    void shouldAllocateManyBuffersFromOneRegistration()
    {
        final RegisteredBuffer first = pool.allocate(100);
        final RegisteredBuffer second = pool.allocate(100);

        assertEquals(1, domain.registrations);
        assertEquals(AccessFlags.ALL, domain.registered.getFirst().access());
        assertEquals(domain.registered.getFirst().lkey(), first.lkey());
        assertEquals(domain.registered.getFirst().rkey(), second.rkey());
        assertEquals(0, first.address() % RegisteredMemoryPool.ALIGNMENT);
        assertTrue(Math.abs(first.address() - second.address()) >= 100);
    }

    @Test
    void shouldAlignLargeBuffersToPages()
    {
        pool.allocate(1);

        assertEquals(0, pool.allocate(RegisteredMemoryPool.LARGE_LENGTH).address() % RegisteredMemoryPool.PAGE_SIZE);
    }

    @Test
    void shouldDoubleRegionsUpToTheLimit()
    {
        pool.allocate(MIB);
        pool.allocate(MIB);
        pool.allocate(2 * MIB);
        pool.allocate(4 * MIB);

        assertEquals(1 + 2 + 4 + 4, pool.registeredBytes() / MIB);
        assertEquals(4, pool.regionCount());
    }

    @Test
    void shouldCreateLongerRegionWhenBufferExceedsTheLimit()
    {
        pool.allocate(9 * MIB + 1);

        assertEquals(9 * MIB + 4096, pool.registeredBytes());
    }

    @Test
    void shouldZeroMemoryWhenReused()
    {
        final RegisteredBuffer first = pool.allocate(MIB);
        final long address = first.address();
        first.buffer().setMemory(0, (int)MIB, (byte)7);
        first.close();

        final RegisteredBuffer second = pool.allocate(MIB);

        assertEquals(address, second.address());
        for (int i = 0; i < MIB; i += 8)
        {
            assertEquals(0, second.buffer().getLong(i));
        }
        assertEquals(1, pool.regionCount());
    }

    @Test
    void shouldCountBytes()
    {
        final RegisteredBuffer first = pool.allocate(65);
        final RegisteredBuffer second = pool.allocate(0);
        assertEquals(128 + 64, pool.allocatedBytes());

        first.close();
        first.close();
        assertEquals(64, pool.allocatedBytes());
        second.close();

        assertEquals(0, pool.allocatedBytes());
        assertEquals(192, pool.peakBytes());
    }

    @Test
    void shouldReturnViewsOfTheSameMemory()
    {
        final RegisteredBuffer buffer = pool.allocate(1000);
        buffer.buffer().putLong(504, 42);

        assertSame(buffer.buffer(), buffer.buffer());
        assertEquals(1000, buffer.buffer().capacity());
        assertEquals(buffer.address(), buffer.buffer().addressOffset());
        assertEquals(1000, buffer.segment().byteSize());
        assertEquals(42, buffer.segment().get(ValueLayout.JAVA_LONG, 504));
        assertEquals(42, buffer.buffer(500, 100).getLong(4));
        assertEquals(42, buffer.slice(500, 100).slice(2, 10).buffer().getLong(2));
        assertEquals(buffer.rkey(), buffer.slice(500, 100).rkey());
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.buffer(901, 100));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.slice(-1, 100));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.slice(Long.MAX_VALUE, Long.MAX_VALUE));
    }

    @Test
    void shouldAccessMoreThanTwoGibibytesByWindowsAndSegment()
    {
        // Pages that are not accessed cost no memory.
        final long length = (1L << 31) + 4096;
        final RegisteredBuffer buffer = pool.allocate(length);

        assertEquals(length, buffer.length());
        buffer.segment().set(ValueLayout.JAVA_LONG, length - 8, 99);
        assertEquals(99, buffer.buffer(length - 16, 16).getLong(8));
        final UnsupportedOperationException ex =
            assertThrows(UnsupportedOperationException.class, buffer::buffer);
        assertTrue(ex.getMessage().contains("buffer(offset, length)"), ex.getMessage());
    }

    @Test
    void shouldRejectUseWhenClosed()
    {
        final RegisteredBuffer buffer = pool.allocate(64);
        final RegisteredBuffer slice = buffer.slice(0, 8);
        final UnsafeBuffer view = buffer.buffer();
        buffer.close();

        assertTrue(slice.isClosed());
        assertThrows(IllegalStateException.class, buffer::address);
        assertThrows(IllegalStateException.class, buffer::segment);
        assertThrows(IllegalStateException.class, buffer::rkey);
        assertThrows(IllegalStateException.class, slice::address);
        assertThrows(IndexOutOfBoundsException.class, () -> view.getLong(0));
    }

    @Test
    void shouldKeepMemoryWhenASliceIsClosed()
    {
        final RegisteredBuffer buffer = pool.allocate(64);
        final RegisteredBuffer slice = buffer.slice(0, 8);
        slice.close();

        assertThrows(IllegalStateException.class, slice::address);
        assertFalse(buffer.isClosed());
        assertEquals(64, pool.allocatedBytes());
    }

    @Test
    void shouldCloseBuffersWhenPoolIsClosed()
    {
        final RegisteredBuffer buffer = pool.allocate(64);
        pool.close();
        pool.close();

        assertTrue(buffer.isClosed());
        assertThrows(IllegalStateException.class, buffer::address);
        buffer.close();
        assertThrows(IllegalStateException.class, () -> pool.allocate(1));
    }

    @Test
    void shouldKeepRetainedMemoryWhenPoolIsClosed()
    {
        pool.allocate(300_000);
        final RegisteredBuffer large = pool.allocateRetained(200_000);
        final RegisteredBuffer small = pool.allocateRetained(64);
        final RegisteredBuffer neighbour = pool.allocateRetained(64);
        pool.allocateRetained(64).close();
        assertNotNull(pool.view(small.address(), 64));
        final long address = large.address();
        final long neighbourAddress = neighbour.address();
        large.buffer().setMemory(0, 200_000, (byte)7);

        pool.close();

        assertEquals(0, domain.registered.size());
        assertEquals(0, domain.mapped.size());
        final long[] kept = domain.kept.getFirst();
        final long bytes = IntStream.range(0, kept.length / 2).mapToLong(i -> kept[2 * i + 1]).sum();
        assertTrue(bytes >= 200_000 && bytes <= 200_000 + 3 * RegisteredMemoryPool.PAGE_SIZE, "kept " + bytes);
        assertEquals(7, UnsafeApi.getByte(address + 199_999));
        small.close();
        assertEquals(0, UnsafeApi.getByte(neighbourAddress));
        neighbour.close();
        large.close();
        assertFalse(MemoryCalls.isMapped(address, 1));
    }

    @Test
    void shouldKeepNothingWhenPoolIsClosedAfterRetainedMemoryWasReleased()
    {
        final RegisteredBuffer retained = pool.allocateRetained(64);
        final RegisteredBuffer view = pool.view(retained.address(), 64);
        retained.close();

        pool.close();

        assertEquals(0, domain.kept.getFirst().length);
        view.close();
    }

    @Test
    void shouldAllocateOnlyRequestedLengthWhenHostIsShortOfMemory()
    {
        domain.hostBytes = 3 * MIB;
        pool.allocate(MIB);
        pool.allocate(MIB);
        final RegisteredBuffer third = pool.allocate(MIB);

        assertEquals(3 * MIB, pool.registeredBytes());
        assertNotEquals(0, third.address());
    }

    @Test
    void shouldFreeEmptyRegionsWhenHostIsShortOfMemory()
    {
        domain.hostBytes = 4 * MIB;
        pool.allocate(MIB).close();

        pool.allocate(4 * MIB);

        assertEquals(4 * MIB, pool.registeredBytes());
    }

    @Test
    void shouldStayUsableWhenHostIsOutOfMemory()
    {
        domain.hostBytes = 2 * MIB;
        final RegisteredBuffer kept = pool.allocate(MIB);

        final RdmaException ex = assertThrows(RdmaException.class, () -> pool.allocate(2 * MIB));

        assertEquals(Errno.ENOMEM, ex.errno());
        assertEquals(MIB, pool.allocatedBytes());
        assertEquals(1, domain.mapped.size());
        assertFalse(kept.isClosed());
        pool.allocate(MIB);
    }

    @Test
    void shouldUnmapMemoryWhenRegistrationFails()
    {
        domain.maxRegions = 0;

        assertThrows(RdmaException.class, () -> pool.allocate(1));

        assertEquals(0, domain.mapped.size());
        assertEquals(0, pool.allocatedBytes());
    }

    @Test
    void shouldRegisterTheSameMemoryWithEachDomain()
    {
        final CountingDomain other = new CountingDomain();
        other.registrations = 7;
        try (RegisteredMemoryPool both = new RegisteredMemoryPool(List.of(domain, other)))
        {
            final RegisteredBuffer buffer = both.allocate(100);
            final RegisteredBuffer slice = buffer.slice(50, 50);

            assertEquals(1, domain.mapped.size());
            assertEquals(0, other.mapped.size());
            assertEquals(domain.registered.getFirst().address(), other.registered.getFirst().address());
            assertEquals(domain.registered.getFirst().rkey(), buffer.rkey(0));
            assertEquals(other.registered.getFirst().rkey(), buffer.rkey(1));
            assertEquals(other.registered.getFirst().lkey(), slice.lkey(1));
            assertNotEquals(buffer.rkey(0), buffer.rkey(1));
        }
        assertEquals(0, other.registered.size());
    }

    @Test
    void shouldFreeMemoryWhenOneDomainCannotRegisterIt()
    {
        final CountingDomain other = new CountingDomain();
        other.maxRegions = 0;
        try (RegisteredMemoryPool both = new RegisteredMemoryPool(List.of(domain, other)))
        {
            assertThrows(RdmaException.class, () -> both.allocate(1));
            assertEquals(0, domain.mapped.size());
            assertEquals(0, domain.registered.size());

            other.maxRegions = 1;
            other.maxRegionLength = 2 * MIB;
            assertThrows(RdmaException.class, () -> both.allocate(2 * MIB + 1));
            both.allocate(2 * MIB);
        }
    }

    @Test
    void shouldReportDeviceLimitWhenBufferIsTooLong()
    {
        domain.maxRegionLength = 2 * MIB;
        final RdmaException ex = assertThrows(RdmaException.class, () -> pool.allocate(2 * MIB + 1));

        assertTrue(ex.getMessage().contains(String.valueOf(2 * MIB)), ex.getMessage());
        pool.allocate(2 * MIB);
    }

    @Test
    void shouldTrimOnlyEmptyRegions()
    {
        final RegisteredBuffer first = pool.allocate(MIB);
        pool.allocate(2 * MIB).close();

        assertEquals(2 * MIB, pool.trim());
        assertEquals(1, pool.regionCount());
        assertFalse(first.isClosed());
    }

    @Test
    void shouldRejectLengthsOutOfRange()
    {
        assertThrows(IllegalArgumentException.class, () -> pool.allocate(-1));
        assertThrows(IllegalArgumentException.class, () -> pool.allocate(Long.MAX_VALUE));
        assertThrows(IllegalArgumentException.class, () -> new RegisteredMemoryPool(domain, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new RegisteredMemoryPool(domain, 2, 1));
    }

    @Test
    void shouldShareRegistrationsOfMemoryOfTheCallerOnTheSamePages()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(8192, 4096);
            final RegisteredBuffer first = pool.register(memory);
            final RegisteredBuffer second = pool.register(memory.asSlice(100, 200));

            assertEquals(1, domain.registrations);
            assertEquals(memory.address() + 100, second.address());
            assertEquals(200, second.length());
            assertEquals(first.rkey(), second.rkey());
            assertEquals(domain.registered.getFirst().lkey(), second.slice(50, 100).lkey());

            first.close();
            assertEquals(1, domain.registered.size());
            second.close();
            assertEquals(0, domain.registered.size());
            assertEquals(0, pool.regionCount());
            assertThrows(IllegalStateException.class, second::address);
        }
    }

    /** Memory that was freed while it was registered: its registration refers to pages that are gone. */
    @Test
    void shouldRegisterAgainWhenMemoryWasFreedWithoutClosingItsBuffer()
    {
        final Arena freed = Arena.ofConfined();
        final MemorySegment memory = freed.allocate(4096, 4096);
        final RegisteredBuffer stale = pool.register(memory);
        freed.close();

        // As if the host had given the same address to other memory.
        final RegisteredBuffer fresh = pool.register(MemorySegment.ofAddress(memory.address()).reinterpret(4096));

        assertNotEquals(stale.rkey(), fresh.rkey());
        stale.close();
        assertEquals(1, domain.registered.size());
    }

    @Test
    void shouldEndRegistrationsOfMemoryOfTheCallerWithThePool()
    {
        final RegisteredBuffer buffer = pool.register(Arena.ofAuto().allocate(64));
        pool.close();
        buffer.close();

        assertEquals(0, domain.registered.size());
        assertThrows(IllegalStateException.class, () -> pool.register(Arena.ofAuto().allocate(64)));
    }

    @Test
    void shouldViewMemoryOfThePoolOnly()
    {
        final RegisteredBuffer buffer = pool.allocate(100);
        final RegisteredBuffer view = pool.view(buffer.address() + 10, 90);

        assertEquals(buffer.address() + 10, view.address());
        assertEquals(buffer.lkey(), view.lkey());
        buffer.close();
        assertEquals(128, pool.allocatedBytes());
        assertEquals(buffer.length(), view.length() + 10);
        view.close();
        assertEquals(0, pool.allocatedBytes());
    }

    @Test
    void shouldViewNothingOutsideOfOneBuffer()
    {
        final RegisteredBuffer buffer = pool.allocate(100);
        pool.allocate(100);

        assertNull(pool.view(buffer.address(), 101));
        assertNull(pool.view(buffer.address() + 100, 1));
        assertNull(pool.view(buffer.address() - 1, 10));
        assertNull(pool.view(Arena.ofAuto().allocate(10).address(), 10));
    }
}
