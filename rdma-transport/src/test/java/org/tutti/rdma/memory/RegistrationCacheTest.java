/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.Errno;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.RdmaException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RegistrationCacheTest
{
    private static final long PAGE = 4096;
    private static final long BASE = 1L << 40;

    private final CountingDomain domain = new CountingDomain();
    private final RegistrationCache cache = new RegistrationCache(domain, AccessFlags.LOCAL_WRITE, 4, 100 * PAGE);

    @Test
    void shouldRegisterWholePagesOnce()
    {
        final Registration first = cache.acquire(BASE + 100, 200);
        final Registration second = cache.acquire(BASE + 4000, 96);

        assertSame(first, second);
        assertEquals(BASE, first.address());
        assertEquals(PAGE, first.length());
        assertEquals(1, domain.registrations);
        assertEquals(AccessFlags.LOCAL_WRITE, domain.registered.getFirst().access());
        assertEquals(1, cache.hits());
        assertEquals(1, cache.misses());
    }

    @Test
    void shouldKeepRegistrationWhenNotHeld()
    {
        final Registration first = cache.acquire(BASE, PAGE);
        first.release();
        final Registration second = cache.acquire(BASE, PAGE);

        assertSame(first, second);
        assertEquals(1, domain.registrations);
    }

    @Test
    void shouldNotMergeRangesThatOnlyTouch()
    {
        cache.acquire(BASE, PAGE);
        final Registration second = cache.acquire(BASE + PAGE, PAGE);

        assertEquals(BASE + PAGE, second.address());
        assertEquals(2, cache.size());
    }

    @Test
    void shouldRegisterOverlappingRangesTogetherAndKeepTheOldKeysWhileHeld()
    {
        final Registration held = cache.acquire(BASE, 2 * PAGE);
        cache.acquire(BASE + 4 * PAGE, 2 * PAGE).release();

        final Registration union = cache.acquire(BASE + PAGE, 4 * PAGE);

        assertEquals(BASE, union.address());
        assertEquals(6 * PAGE, union.length());
        assertEquals(1, cache.size());
        assertEquals(List.of(held.lkey(), union.lkey()), keys());
        assertSame(union, cache.acquire(BASE, PAGE));

        held.release();
        assertEquals(List.of(union.lkey()), keys());
    }

    @Test
    void shouldEvictLeastRecentlyUsedWhenThereAreTooManyEntries()
    {
        final int[] keys = new int[5];
        for (int i = 0; i < 5; i++)
        {
            final Registration registration = cache.acquire(BASE + 2L * i * PAGE, PAGE);
            keys[i] = registration.lkey();
            registration.release();
            cache.acquire(BASE, PAGE).release();
        }

        assertEquals(List.of(keys[0], keys[2], keys[3], keys[4]), keys());
    }

    @Test
    void shouldEvictLeastRecentlyUsedWhenThereAreTooManyBytes()
    {
        cache.acquire(BASE, 60 * PAGE).release();
        final Registration second = cache.acquire(BASE + 100 * PAGE, 60 * PAGE);
        assertEquals(2, domain.registered.size());
        second.release();

        assertEquals(List.of(second.lkey()), keys());
        assertEquals(60 * PAGE, cache.idleBytes());
    }

    @Test
    void shouldNotEvictRegistrationWhenHeld()
    {
        for (int i = 0; i < 50; i++)
        {
            cache.acquire(BASE + 100L * i * PAGE, 50 * PAGE);
        }

        assertEquals(50, domain.registered.size());
        assertEquals(0, cache.idleBytes());
    }

    @Test
    void shouldEvictWhenDeviceIsOutOfResources()
    {
        domain.maxRegions = 2;
        cache.acquire(BASE, PAGE).release();
        cache.acquire(BASE + 10 * PAGE, PAGE).release();

        final Registration third = cache.acquire(BASE + 20 * PAGE, PAGE);
        assertEquals(List.of(third.lkey()), keys());

        cache.acquire(BASE + 30 * PAGE, PAGE);
        final RdmaException ex = assertThrows(RdmaException.class, () -> cache.acquire(BASE + 40 * PAGE, PAGE));
        assertEquals(Errno.ENOMEM, ex.errno());
    }

    @Test
    void shouldRegisterOnlyRequestedRangeWhenNeighboursAreStale()
    {
        cache.acquire(BASE, 2 * PAGE).release();
        domain.unmappedBelow = BASE + PAGE;

        final Registration fresh = cache.acquire(BASE + PAGE, 2 * PAGE);

        assertEquals(BASE + PAGE, fresh.address());
        assertEquals(List.of(fresh.lkey()), keys());
    }

    @Test
    void shouldMissWhenInvalidated()
    {
        final Registration held = cache.acquire(BASE, PAGE);
        cache.acquire(BASE + 2 * PAGE, PAGE).release();
        cache.acquire(BASE + 4 * PAGE, PAGE).release();

        cache.invalidate(BASE, 3 * PAGE);

        assertEquals(1, cache.size());
        assertEquals(2, domain.registered.size());
        assertNotEquals(held.lkey(), cache.acquire(BASE, PAGE).lkey());
        held.release();
        assertEquals(2, domain.registered.size());
    }

    @Test
    void shouldDeregisterEverythingWhenClosedAndReleased()
    {
        final Registration held = cache.acquire(BASE, PAGE);
        cache.acquire(BASE + 4 * PAGE, PAGE).release();
        cache.close();
        cache.close();

        assertEquals(List.of(held.lkey()), keys());
        held.release();
        assertEquals(List.of(), keys());
        assertThrows(IllegalStateException.class, held::release);
        assertThrows(IllegalStateException.class, () -> cache.acquire(BASE, PAGE));
    }

    @Test
    void shouldRejectSegmentWhenNotNative()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment segment = arena.allocate(10000, 64);
            final Registration registration = cache.acquire(segment);

            assertTrue(registration.address() <= segment.address());
            assertTrue(registration.end() >= segment.address() + segment.byteSize());
        }
        final IllegalArgumentException ex = assertThrows(
            IllegalArgumentException.class, () -> cache.acquire(MemorySegment.ofArray(new byte[10])));
        assertTrue(ex.getMessage().contains("Java heap"), ex.getMessage());
        assertThrows(IllegalArgumentException.class, () -> cache.acquire(BASE, 0));
    }

    /** Each number is a step: pages to acquire, or, if negative, the index of a hold to release. */
    @Property(tries = 300)
    void shouldAlwaysCoverHeldRangesAndKeepTheLimits(
        @ForAll @Size(max = 100) final List<@IntRange(min = -30, max = 600) Integer> steps)
    {
        final CountingDomain counting = new CountingDomain();
        final RegistrationCache tested = new RegistrationCache(counting, AccessFlags.ALL, 3, 10 * PAGE);
        final List<long[]> ranges = new ArrayList<>();
        final List<Registration> holds = new ArrayList<>();
        for (final int step : steps)
        {
            if (step >= 0)
            {
                final long address = BASE + step % 40 * PAGE + step;
                final long length = 1 + step / 40 * PAGE;
                ranges.add(new long[]{address, address + length});
                holds.add(tested.acquire(address, length));
            }
            else if (!holds.isEmpty())
            {
                ranges.remove(-step % holds.size());
                holds.remove(-step % holds.size()).release();
            }

            for (int i = 0; i < holds.size(); i++)
            {
                final Registration hold = holds.get(i);
                assertTrue(hold.address() <= ranges.get(i)[0] && ranges.get(i)[1] <= hold.end());
                assertTrue(counting.registered.stream().anyMatch((region) -> region.lkey() == hold.lkey()));
            }
            assertTrue(tested.idleBytes() <= 10 * PAGE);
            assertTrue(counting.registered.size() <= holds.stream().distinct().count() + 3);
        }

        tested.close();
        holds.forEach(Registration::release);
        assertEquals(0, counting.registered.size());
    }

    private List<Integer> keys()
    {
        return domain.registered.stream().map(MemoryRegion::lkey).toList();
    }
}
