/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.Context;
import org.tutti.rdma.Errno;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;
import org.tutti.rdma.memory.Registration;
import org.tutti.rdma.memory.RegistrationCache;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests pool and cache on a real provider; closing domain and context shows that nothing leaks. */
class ShmMemoryTest
{
    private final ShmFixture fixture = new ShmFixture();
    private Context context;
    private ProtectionDomain domain;

    @BeforeEach
    void open()
    {
        context = fixture.open();
        domain = context.allocateProtectionDomain();
    }

    @AfterEach
    void shouldLeaveNothingBehind()
    {
        domain.close();
        context.close();
        fixture.close();
    }

    @Test
    void shouldAllocateUsableMemory()
    {
        try (RegisteredMemoryPool pool = new RegisteredMemoryPool(domain); RegisteredBuffer buffer = pool.allocate(100))
        {
            buffer.buffer().putLong(8, 7);
            assertEquals(7, buffer.buffer().getLong(8));
            assertEquals(RegisteredMemoryPool.FIRST_REGION_LENGTH, pool.registeredBytes());
        }
    }

    @Test
    void shouldStayUsableWhenHostIsShortOfMemory()
    {
        try (RegisteredMemoryPool pool = new RegisteredMemoryPool(domain, 1 << 20, 1 << 20))
        {
            final RdmaException ex = assertThrows(RdmaException.class, () -> pool.allocate(1L << 50));

            assertEquals(Errno.ENOMEM, ex.errno());
            assertTrue(ex.getMessage().contains(String.valueOf(1L << 50)), ex.getMessage());
            assertEquals(0, pool.regionCount());
            assertEquals(64, pool.allocate(64).length());
        }
    }

    @Test
    void shouldFreeRegionsWhenBuffersAreStillAllocated()
    {
        final RegisteredMemoryPool pool = new RegisteredMemoryPool(domain, 1 << 20, 1 << 20);
        final RegisteredBuffer buffer = pool.allocate(1 << 20);
        pool.allocate(1 << 20);
        pool.close();

        assertTrue(buffer.isClosed());
    }

    @Test
    void shouldCacheRegistrationsOfUserMemory()
    {
        final int access = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE;
        try (Arena arena = Arena.ofConfined();
            RegistrationCache cache = new RegistrationCache(domain, access, 8, 1 << 30))
        {
            final MemorySegment segment = arena.allocate(10_000, 64);
            final Registration first = cache.acquire(segment);
            first.release();
            final Registration second = cache.acquire(segment.asSlice(100, 200));

            assertEquals(first.lkey(), second.lkey());
            assertEquals(1, cache.misses());
            second.release();
            cache.invalidate(segment.address(), segment.byteSize());
            assertEquals(0, cache.size());
        }
    }
}
