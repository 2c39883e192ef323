/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.Errno;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.RdmaException;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Allocates registered memory from a few large regions, because registration is slow and keys are scarce.
 * <p>
 * Regions are created on demand. The first has the configured length; the length doubles with each further region, up
 * to a limit. A buffer longer than the limit gets a region of its own length. Regions stay until {@link #trim()} or
 * {@link #close()}. Every buffer is zeroed on allocation. Zeroing costs about 0.1 ms per megabyte, but only for memory
 * that was used before: memory that was never allocated is left as the provider mapped it.
 * <p>
 * Owns its regions; the protection domains belong to the caller and must be closed after the pool. Thread-safe. Do not
 * allocate on the data path: it takes a lock and creates objects.
 */
public final class RegisteredMemoryPool implements AutoCloseable
{
    /** Every buffer begins at a multiple of this many bytes: a cache line. */
    public static final int ALIGNMENT = 64;
    /** Large buffers begin at a multiple of this many bytes. */
    public static final int PAGE_SIZE = 4096;
    /** The minimum length of a large buffer, in bytes. */
    public static final int LARGE_LENGTH = 64 * 1024;
    /** The default length of the first region, in bytes. */
    public static final long FIRST_REGION_LENGTH = 16L << 20;
    /** The default maximum length of a region, in bytes; only a longer buffer gets a longer region. */
    public static final long MAX_REGION_LENGTH = 256L << 20;

    /** Allocated memory, with the number of buffers that hold it: the one allocated and its views. */
    private static final class Block
    {
        private final PoolRegion region;
        private final long offset;
        private final long length;
        private int holders = 1;

        Block(final PoolRegion region, final long offset, final long length)
        {
            this.region = region;
            this.offset = offset;
            this.length = length;
        }
    }

    private final List<ProtectionDomain> domains;
    private final long maxRegionLength;
    private final List<PoolRegion> regions = new ArrayList<>();
    /** Allocated blocks by address. */
    private final NavigableMap<Long, Block> blocks = new TreeMap<>();
    /** By domain: the registrations of users' memory. They share pages, and none is kept once it is not held. */
    private final List<RegistrationCache> caches = new ArrayList<>();
    private final List<UserRange> userRanges = new ArrayList<>();
    private final BufferSegments segments = new BufferSegments();
    /** Start and end of each region, for readers without the lock. */
    private volatile long[] bounds = {};
    private long nextRegionLength;
    private long allocated;
    private long peak;
    private volatile boolean closed;

    /**
     * Creates a pool with regions of the default lengths. Nothing is mapped yet.
     *
     * @param domain domain to register with.
     */
    public RegisteredMemoryPool(final ProtectionDomain domain)
    {
        this(domain, FIRST_REGION_LENGTH, MAX_REGION_LENGTH);
    }

    /**
     * Creates a pool with regions of the default lengths, each registered with several domains, possibly of different
     * providers: the memory is the same, the keys differ. Nothing is mapped yet.
     *
     * @param domains domains to register with, at least one; the first one's provider maps the memory.
     */
    public RegisteredMemoryPool(final List<ProtectionDomain> domains)
    {
        this(domains, FIRST_REGION_LENGTH, MAX_REGION_LENGTH);
    }

    /**
     * Creates a pool with regions of the given lengths. Nothing is mapped yet.
     *
     * @param domain            domain to register with.
     * @param firstRegionLength length of the first region in bytes, greater than 0; rounded up to whole pages.
     * @param maxRegionLength   maximum length of a region in bytes, at least {@code firstRegionLength}.
     */
    public RegisteredMemoryPool(
        final ProtectionDomain domain, final long firstRegionLength, final long maxRegionLength)
    {
        this(List.of(domain), firstRegionLength, maxRegionLength);
    }

    private RegisteredMemoryPool(
        final List<ProtectionDomain> domains, final long firstRegionLength, final long maxRegionLength)
    {
        if (firstRegionLength <= 0 || maxRegionLength < firstRegionLength)
        {
            throw new IllegalArgumentException("firstRegionLength=" + firstRegionLength +
                " must be greater than 0 and at most maxRegionLength=" + maxRegionLength);
        }

        this.domains = List.copyOf(domains);
        this.nextRegionLength = roundToPages(firstRegionLength);
        this.maxRegionLength = roundToPages(maxRegionLength);
    }

    /**
     * Allocates zeroed memory, aligned to {@link #ALIGNMENT}, or to {@link #PAGE_SIZE} from {@link #LARGE_LENGTH} on.
     *
     * @param length length in bytes, at least 0; may exceed 2^31.
     * @return a buffer owned by the caller, to be closed after use.
     * @throws RdmaException         with {@link Errno#ENOMEM} if the host or the device does not have that much memory;
     *                               no memory is allocated then.
     * @throws IllegalStateException if the pool is closed.
     */
    public synchronized RegisteredBuffer allocate(final long length)
    {
        final Block block = take(length);
        return new RegisteredBuffer(this, block.region, block.offset, length, () -> release(block));
    }

    /**
     * Allocates memory as {@link #allocate} does, for callers that may outlive the pool: when the pool is closed, the
     * memory keeps its address and its content until the buffer is closed, but peers cannot access it any more.
     *
     * @param length length in bytes, at least 0.
     * @return a buffer owned by the caller, to be closed after use. Read its address before the pool is closed.
     * @throws RdmaException         as {@link #allocate}.
     * @throws IllegalStateException if the pool is closed.
     */
    public synchronized RegisteredBuffer allocateRetained(final long length)
    {
        final Block block = take(length);
        block.region.retain(block.offset, length);
        return new RegisteredBuffer(this, block.region, block.offset, length, () -> releaseRetained(block));
    }

    /**
     * Deregisters and unmaps regions without allocated buffers.
     *
     * @return number of bytes returned to the host.
     */
    public synchronized long trim()
    {
        long trimmed = 0;
        for (final Iterator<PoolRegion> iterator = regions.iterator(); iterator.hasNext();)
        {
            final PoolRegion region = iterator.next();
            if (region.allocated() == 0)
            {
                iterator.remove();
                trimmed += region.length();
                regionsChanged();
                region.close();
            }
        }
        return trimmed;
    }

    /**
     * The amount of memory allocated now.
     *
     * @return length in bytes, including rounding to {@link #ALIGNMENT}.
     */
    public synchronized long allocatedBytes()
    {
        return allocated;
    }

    /**
     * The maximum amount of memory allocated at any time.
     *
     * @return length in bytes, including rounding to {@link #ALIGNMENT}.
     */
    public synchronized long peakBytes()
    {
        return peak;
    }

    /**
     * The amount of memory registered now.
     *
     * @return length in bytes.
     */
    public synchronized long registeredBytes()
    {
        long sum = 0;
        for (final PoolRegion region : regions)
        {
            sum += region.length();
        }
        return sum;
    }

    /**
     * The number of regions registered now.
     *
     * @return 0 before the first allocation.
     */
    public synchronized int regionCount()
    {
        return regions.size();
    }

    /**
     * Deregisters and unmaps all regions, even if buffers are still allocated, and ends the registrations of users'
     * memory; no buffer may be accessed afterwards, except memory of {@link #allocateRetained}. Access through segments
     * throws then. Idempotent.
     *
     * @throws IllegalStateException if a native call or an I/O operation uses the segment of a buffer: the region that
     *                               contains it stays mapped, and another call unmaps it when the operation has ended.
     */
    @Override
    public synchronized void close()
    {
        closed = true;
        bounds = new long[0];
        RuntimeException first = segments.closeAll();
        for (final UserRange range : userRanges)
        {
            try
            {
                range.release();
            }
            catch (final RuntimeException ex)
            {
                first = first == null ? ex : first;
            }
        }
        userRanges.clear();
        blocks.clear();
        for (int i = regions.size() - 1; i >= 0; i--)
        {
            if (segments.isAnyIn(regions.get(i).address(), regions.get(i).length()))
            {
                continue;
            }
            try
            {
                regions.remove(i).close();
            }
            catch (final RuntimeException ex)
            {
                first = first == null ? ex : first;
            }
        }
        allocated = 0;
        if (first != null)
        {
            throw first;
        }
    }

    private synchronized void releaseRetained(final Block block)
    {
        block.region.release(block.offset);
        release(block);
    }

    private synchronized void release(final Block block)
    {
        block.holders--;
        if (!closed && block.holders == 0)
        {
            blocks.remove(block.region.address() + block.offset);
            allocated -= block.region.free(block.offset);
        }
    }

    /**
     * Registers memory of the caller, which peers may access until the buffer is closed. Whole pages are registered, so
     * peers may access other data on these pages, too. Buffers on the same pages share their registration.
     *
     * @param segment native memory, not empty. It must stay allocated until the buffer is closed.
     * @return a buffer on this memory, to be closed by the caller; closing it does not free the memory.
     * @throws IllegalArgumentException if the segment is on the Java heap or is empty.
     * @throws IllegalStateException    if the pool is closed.
     * @throws RdmaException            if the memory cannot be registered.
     */
    public synchronized RegisteredBuffer register(final MemorySegment segment)
    {
        requireOpen();
        if (caches.isEmpty())
        {
            domains.forEach(domain -> caches.add(new RegistrationCache(domain, AccessFlags.ALL, 0, 0)));
        }
        // Memory freed without closing its buffer: other pages may be at its address now.
        userRanges.stream().filter(UserRange::isNewlyFreed).forEach(
            range -> caches.forEach(cache -> cache.invalidate(range.address(), range.length())));
        final UserRange range = UserRange.register(caches, segment);
        userRanges.add(range);
        return new RegisteredBuffer(this, range, segment, () -> release(range));
    }

    /**
     * Returns a view of allocated memory of this pool.
     *
     * @param address address of the first byte.
     * @param length  length in bytes, at least 0.
     * @return a view, to be closed by the caller; null if the range is not inside one allocated buffer. The memory
     *         returns to the pool when that buffer and all its views are closed.
     */
    public synchronized RegisteredBuffer view(final long address, final long length)
    {
        final Map.Entry<Long, Block> entry = blocks.floorEntry(address);
        final Block block = entry == null ? null : entry.getValue();
        if (block == null || length < 0 || address - entry.getKey() > block.length - length)
        {
            return null;
        }
        block.holders++;
        return new RegisteredBuffer(
            this, block.region, address - block.region.address(), length, () -> release(block));
    }

    private synchronized void release(final UserRange range)
    {
        if (!closed)
        {
            userRanges.remove(range);
            range.release();
        }
    }

    private void requireOpen()
    {
        if (closed)
        {
            throw new IllegalStateException("the memory pool is closed");
        }
    }

    /** Whether a range is in one region. */
    boolean contains(final long address, final long length)
    {
        final long[] known = bounds;
        for (int i = 0; i < known.length; i += 2)
        {
            if (address >= known[i] && address <= known[i + 1] && length <= known[i + 1] - address)
            {
                return true;
            }
        }
        return false;
    }

    private void regionsChanged()
    {
        final long[] changed = new long[2 * regions.size()];
        for (int i = 0; i < regions.size(); i++)
        {
            changed[2 * i] = regions.get(i).address();
            changed[2 * i + 1] = regions.get(i).address() + regions.get(i).length();
        }
        bounds = changed;
    }

    boolean isClosed()
    {
        return closed;
    }

    BufferSegments segments()
    {
        return segments;
    }

    private Block take(final long length)
    {
        requireOpen();
        final long maxLength = Long.MAX_VALUE - PAGE_SIZE;
        if (length < 0 || length > maxLength)
        {
            throw new IllegalArgumentException("length=" + length + " is not from 0 to " + maxLength);
        }

        final long alignment = length >= LARGE_LENGTH ? PAGE_SIZE : ALIGNMENT;
        for (int i = 0; i < regions.size(); i++)
        {
            final PoolRegion region = regions.get(i);
            final long offset = region.allocate(length, alignment);
            if (offset != BestFitAllocator.NO_SPACE)
            {
                return newBlock(region, offset, length);
            }
        }

        final PoolRegion region = grow(length);
        return newBlock(region, region.allocate(length, alignment), length);
    }

    private Block newBlock(final PoolRegion region, final long offset, final long length)
    {
        allocated += Math.max(ALIGNMENT, (length + ALIGNMENT - 1) & -ALIGNMENT);
        peak = Math.max(peak, allocated);
        final Block block = new Block(region, offset, length);
        blocks.put(region.address() + offset, block);
        return block;
    }

    private PoolRegion grow(final long length)
    {
        final long least = roundToPages(Math.max(length, 1));
        final long deviceLimit = requireDeviceAllows(least);
        PoolRegion region;
        try
        {
            region = PoolRegion.create(domains, Math.min(deviceLimit, Math.max(least, nextRegionLength)));
        }
        catch (final RdmaException ex)
        {
            if (ex.errno() != Errno.ENOMEM || (trim() == 0 && least >= nextRegionLength))
            {
                throw ex;
            }
            // The host is short of memory: try again with no more than the requested length.
            region = PoolRegion.create(domains, least);
        }

        regions.add(region);
        regionsChanged();
        nextRegionLength = Math.min(maxRegionLength, 2 * nextRegionLength);
        return region;
    }

    private long requireDeviceAllows(final long length)
    {
        long least = Long.MAX_VALUE;
        for (final ProtectionDomain domain : domains)
        {
            // Unsigned: devices without a limit report 2^64 - 1.
            final long reported = domain.context().queryDevice().maxMemoryRegionLength;
            least = Math.min(least, reported < 0 ? Long.MAX_VALUE : reported);
        }
        final long limit = least & -PAGE_SIZE;
        if (length > limit)
        {
            throw new RdmaException(Errno.ENOMEM, "ibv_reg_mr", length + " bytes in one buffer exceed the device's " +
                "maximum of " + limit + " bytes per region; allocate several shorter buffers");
        }
        return limit;
    }

    private static long roundToPages(final long length)
    {
        return (length + PAGE_SIZE - 1) & -PAGE_SIZE;
    }
}
