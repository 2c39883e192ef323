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

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class BestFitAllocatorTest
{
    private static final int GRANULARITY = 64;

    @Test
    void shouldAllocateShortestBlockThatFits()
    {
        final BestFitAllocator allocator = new BestFitAllocator(64 * 100, GRANULARITY);
        final long hole5 = allocator.allocate(5 * 64, 64);
        allocator.allocate(64, 64);
        final long hole3 = allocator.allocate(3 * 64, 64);
        allocator.allocate(64, 64);
        allocator.free(hole5);
        allocator.free(hole3);

        assertEquals(hole3, allocator.allocate(2 * 64, 64));
        assertEquals(hole5, allocator.allocate(4 * 64, 64));
    }

    @Test
    void shouldCoalesceNeighboursWhenFreedInAnyOrder()
    {
        final int[][] orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        for (final int[] order : orders)
        {
            final BestFitAllocator allocator = new BestFitAllocator(3 * 64, GRANULARITY);
            final long[] offsets = {allocator.allocate(64, 64), allocator.allocate(64, 64), allocator.allocate(64, 64)};
            assertEquals(BestFitAllocator.NO_SPACE, allocator.allocate(1, 64));

            for (final int index : order)
            {
                allocator.free(offsets[index]);
            }

            assertEquals(1, allocator.freeBlocks());
            assertEquals(3 * 64, allocator.longestFree());
            assertEquals(0, allocator.allocated());
        }
    }

    @Test
    void shouldAlignAndReuseTheGap()
    {
        final BestFitAllocator allocator = new BestFitAllocator(4 * 4096, GRANULARITY);

        assertEquals(0, allocator.allocate(1, 64));
        assertEquals(4096, allocator.allocate(4096, 4096));
        assertEquals(64, allocator.allocate(4096 - 64, 64));
    }

    @Test
    void shouldUseLongerBlockWhenShortestCannotBeAligned()
    {
        final BestFitAllocator allocator = new BestFitAllocator(8 * 4096, GRANULARITY);
        allocator.allocate(64, 64);
        final long unaligned = allocator.allocate(4096, 64);
        allocator.allocate(64, 64);
        allocator.free(unaligned);

        assertEquals(2 * 4096, allocator.allocate(4096, 4096));
    }

    @Test
    void shouldAllocateWhenCapacityExceedsIntRange()
    {
        final long length = 5L << 40;
        final BestFitAllocator allocator = new BestFitAllocator(2 * length, GRANULARITY);

        assertEquals(0, allocator.allocate(length, 4096));
        assertEquals(length, allocator.allocate(length, 4096));
        assertEquals(BestFitAllocator.NO_SPACE, allocator.allocate(1, 64));
        assertEquals(BestFitAllocator.NO_SPACE, allocator.allocate(Long.MAX_VALUE, 64));
    }

    @Test
    void shouldRejectInvalidArguments()
    {
        final BestFitAllocator allocator = new BestFitAllocator(64 * 4, GRANULARITY);
        final long offset = allocator.allocate(128, 64);

        assertThrows(IllegalArgumentException.class, () -> allocator.free(offset + 64));
        assertEquals(128, allocator.free(offset));
        assertThrows(IllegalArgumentException.class, () -> allocator.free(offset));
        assertThrows(IllegalArgumentException.class, () -> allocator.allocate(-1, 64));
        assertThrows(IllegalArgumentException.class, () -> allocator.allocate(1, 48));
        assertThrows(IllegalArgumentException.class, () -> new BestFitAllocator(100, 64));
        assertThrows(IllegalArgumentException.class, () -> new BestFitAllocator(0, 64));
    }

    /** Each number is a step: a length to allocate, or, if negative, the index of a block to free. */
    @Property(tries = 300)
    void shouldNeverOverlapAndFailOnlyWhenNothingFits(
        @ForAll @Size(max = 200) final List<@IntRange(min = -100, max = 3000) Integer> steps)
    {
        final int capacity = 16 * 1024;
        final BestFitAllocator allocator = new BestFitAllocator(capacity, GRANULARITY);
        final TreeMap<Long, Long> used = new TreeMap<>();
        for (final int step : steps)
        {
            if (step >= 0)
            {
                final long alignment = step % 7 == 0 ? 1024 : 64;
                final long rounded = Math.max(64, (step + 63) / 64 * 64);
                final long expected = bestFit(used, capacity, rounded, alignment);

                final long offset = allocator.allocate(step, alignment);

                assertEquals(expected, offset, () -> "used=" + used + " length=" + step);
                if (offset >= 0)
                {
                    used.put(offset, rounded);
                }
            }
            else if (!used.isEmpty())
            {
                final Long offset = List.copyOf(used.keySet()).get(-step % used.size());
                assertEquals(used.remove(offset), allocator.free(offset));
            }
            assertEquals(used.values().stream().mapToLong(Long::longValue).sum(), allocator.allocated());
        }

        List.copyOf(used.keySet()).forEach(allocator::free);
        assertEquals(1, allocator.freeBlocks());
        assertEquals(capacity, allocator.longestFree());
    }

    /** Reference implementation: searches every gap. */
    private static long bestFit(
        final Map<Long, Long> used, final long capacity, final long length, final long alignment)
    {
        final TreeMap<Long, Long> withEnd = new TreeMap<>(used);
        withEnd.put(capacity, 0L);
        long best = BestFitAllocator.NO_SPACE;
        long bestGap = Long.MAX_VALUE;
        long begin = 0;
        for (final Map.Entry<Long, Long> block : withEnd.entrySet())
        {
            final long gap = block.getKey() - begin;
            final long aligned = (begin + alignment - 1) / alignment * alignment;
            if (aligned + length <= block.getKey() && gap < bestGap)
            {
                best = aligned;
                bestGap = gap;
            }
            begin = block.getKey() + block.getValue();
        }
        return best;
    }
}
