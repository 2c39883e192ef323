/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import org.agrona.collections.Long2ObjectHashMap;

import java.util.Comparator;
import java.util.TreeSet;

/**
 * A best-fit allocator over a range of offsets that coalesces neighbouring free blocks. It manages numbers only and
 * touches no memory.
 * <p>
 * Every block, free or used, is linked with its neighbours by offset, so coalescing takes constant time; used blocks
 * are found by offset in a hash map, free blocks by length in a balanced tree. Allocating and freeing cost O(log n) in
 * the number of free blocks. Among free blocks of equal length the lowest offset is allocated first, which keeps the
 * end of the range untouched. Not thread-safe; creates one object per block.
 */
public final class BestFitAllocator
{
    /** The result of {@link #allocate} if no free block is long enough. */
    public static final long NO_SPACE = -1;

    private final long capacity;
    private final int granularity;
    private final Long2ObjectHashMap<Block> usedByOffset = new Long2ObjectHashMap<>();
    private final TreeSet<Block> freeByLength = new TreeSet<>(
        Comparator.<Block>comparingLong((block) -> block.length).thenComparingLong((block) -> block.offset));
    private long allocated;

    /**
     * Creates an allocator whose whole range is free.
     *
     * @param capacity    length of the range, greater than 0 and a multiple of the granularity.
     * @param granularity unit to which lengths are rounded up, and minimum alignment; a power of two.
     */
    public BestFitAllocator(final long capacity, final int granularity)
    {
        requirePowerOfTwo("granularity", granularity);
        if (capacity <= 0 || (capacity & (granularity - 1)) != 0)
        {
            throw new IllegalArgumentException(
                "capacity=" + capacity + " is not a positive multiple of granularity=" + granularity);
        }

        this.capacity = capacity;
        this.granularity = granularity;
        freeByLength.add(new Block(0, capacity));
    }

    /**
     * Allocates from the shortest free block that fits.
     *
     * @param length    requested length, at least 0; rounded up to a positive multiple of the granularity.
     * @param alignment alignment of the offset, a power of two.
     * @return the offset, or {@link #NO_SPACE}.
     */
    public long allocate(final long length, final long alignment)
    {
        requirePowerOfTwo("alignment", alignment);
        if (length < 0)
        {
            throw new IllegalArgumentException("length=" + length + " is negative");
        }
        if (length > capacity)
        {
            return NO_SPACE;
        }

        final long rounded = roundUp(Math.max(length, 1), granularity);
        // Candidates in ascending order of length. A block that is too short only because of the alignment is skipped;
        // one that is longer by the alignment always fits, so the loop is short.
        for (final Block block : freeByLength.tailSet(new Block(0, rounded), true))
        {
            final long offset = roundUp(block.offset, alignment);
            if (offset + rounded <= block.offset + block.length)
            {
                freeByLength.remove(block);
                take(block, offset, rounded);
                return offset;
            }
        }

        return NO_SPACE;
    }

    /**
     * Frees a block.
     *
     * @param offset offset returned by {@link #allocate}.
     * @return length of the block, including rounding.
     * @throws IllegalArgumentException if no block is allocated at this offset.
     */
    public long free(final long offset)
    {
        Block block = usedByOffset.remove(offset);
        if (block == null)
        {
            throw new IllegalArgumentException("no block is allocated at offset=" + offset);
        }

        final long length = block.length;
        allocated -= length;
        block.free = true;
        if (block.next != null && block.next.free)
        {
            freeByLength.remove(block.next);
            block.absorbNext();
        }
        if (block.previous != null && block.previous.free)
        {
            block = block.previous;
            freeByLength.remove(block);
            block.absorbNext();
        }
        freeByLength.add(block);

        return length;
    }

    /**
     * The length of the whole range.
     *
     * @return the capacity.
     */
    public long capacity()
    {
        return capacity;
    }

    /**
     * The total length of the blocks that are allocated now.
     *
     * @return length in bytes, including rounding.
     */
    public long allocated()
    {
        return allocated;
    }

    /**
     * The longest block that can be allocated now at the minimum alignment.
     *
     * @return length in bytes, 0 if nothing is free.
     */
    public long longestFree()
    {
        return freeByLength.isEmpty() ? 0 : freeByLength.last().length;
    }

    /**
     * The number of free blocks, a measure of fragmentation.
     *
     * @return number of free blocks; 1 when nothing is allocated.
     */
    public int freeBlocks()
    {
        return freeByLength.size();
    }

    private void take(final Block free, final long offset, final long length)
    {
        Block block = free;
        if (offset > block.offset)
        {
            final Block before = block;
            block = before.splitAt(offset);
            freeByLength.add(before);
        }
        if (length < block.length)
        {
            freeByLength.add(block.splitAt(offset + length));
        }

        block.free = false;
        usedByOffset.put(offset, block);
        allocated += length;
    }

    private static long roundUp(final long value, final long alignment)
    {
        return (value + alignment - 1) & -alignment;
    }

    private static void requirePowerOfTwo(final String name, final long value)
    {
        if (value <= 0 || Long.bitCount(value) != 1)
        {
            throw new IllegalArgumentException(name + "=" + value + " is not a power of two");
        }
    }

    /** A block of the range, linked with its neighbours by offset. */
    private static final class Block
    {
        private final long offset;
        private long length;
        private boolean free = true;
        private Block previous;
        private Block next;

        private Block(final long offset, final long length)
        {
            this.offset = offset;
            this.length = length;
        }

        private Block splitAt(final long end)
        {
            final Block rest = new Block(end, offset + length - end);
            rest.previous = this;
            rest.next = next;
            if (next != null)
            {
                next.previous = rest;
            }
            next = rest;
            length = end - offset;
            return rest;
        }

        private void absorbNext()
        {
            length += next.length;
            next = next.next;
            if (next != null)
            {
                next.previous = this;
            }
        }
    }
}
