/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import org.tutti.rdma.Errno;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.RdmaException;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Caches registrations of user memory, so that reusing the same memory needs no new registration.
 * <p>
 * Ranges are widened to whole pages (registration pins pages anyway), so other data on the same pages is exposed to
 * peers too. A range inside a registered one is a hit; one that only overlaps others is registered together with them,
 * and the old registrations are dropped as soon as they are not held. Registrations that are not held stay registered;
 * the least recently used is evicted first when idle entries or bytes exceed the configured limits, or when the device
 * is out of resources.
 * <p>
 * <b>The cache does not see memory being unmapped.</b> Before memory is freed (a segment's arena is closed), the
 * holders of its registrations must release them, and {@link #invalidate} must be called; otherwise the keys still
 * refer to the old pages, and memory mapped later at the same address would hit them.
 * <p>
 * Owns the registrations; the protection domain belongs to the caller and must be closed after the cache. Thread-safe.
 * A hit allocates nothing.
 */
public final class RegistrationCache implements AutoCloseable
{
    private static final long PAGE_SIZE = RegisteredMemoryPool.PAGE_SIZE;

    private final ProtectionDomain domain;
    private final int access;
    private final int maxIdleEntries;
    private final long maxIdleBytes;

    // Sorted by address, disjoint. An array suffices: registering costs far more than moving pointers, and lookup is a
    // binary search.
    private Registration[] entries = new Registration[16];
    private int size;
    // Ends of the list of registrations that are not held, in the order of their last release.
    private Registration oldestIdle;
    private Registration newestIdle;
    private int idleEntries;
    private long idleBytes;
    private long hits;
    private long misses;
    private boolean closed;

    /**
     * Creates an empty cache.
     *
     * @param domain         domain to register with.
     * @param access         access rights of registrations, a sum of {@link org.tutti.rdma.AccessFlags}.
     * @param maxIdleEntries maximum number of registrations to keep that are not held, at least 0.
     * @param maxIdleBytes   maximum total length of registrations that are not held, in bytes, at least 0.
     */
    public RegistrationCache(
        final ProtectionDomain domain, final int access, final int maxIdleEntries, final long maxIdleBytes)
    {
        if (maxIdleEntries < 0 || maxIdleBytes < 0)
        {
            throw new IllegalArgumentException(
                "maxIdleEntries=" + maxIdleEntries + " and maxIdleBytes=" + maxIdleBytes + " must not be negative");
        }

        this.domain = domain;
        this.access = access;
        this.maxIdleEntries = maxIdleEntries;
        this.maxIdleBytes = maxIdleBytes;
    }

    /**
     * Acquires a registration of memory, registering it on a miss.
     *
     * @param segment segment of native memory, not empty.
     * @return a registration that the caller must release before the segment's arena is closed.
     * @throws IllegalArgumentException if the segment is on the Java heap or is empty.
     * @throws RdmaException            if the memory cannot be registered.
     */
    public Registration acquire(final MemorySegment segment)
    {
        if (!segment.isNative())
        {
            throw new IllegalArgumentException("a segment on the Java heap cannot be registered, because the heap " +
                "moves; copy through a RegisteredBuffer, or allocate it from an Arena");
        }
        return acquire(segment.address(), segment.byteSize());
    }

    /**
     * Acquires a registration of memory, registering it on a miss.
     *
     * @param address address of the first byte.
     * @param length  length in bytes, greater than 0.
     * @return a registration that the caller must release before the memory is unmapped.
     * @throws IllegalArgumentException if the length is 0 or less.
     * @throws IllegalStateException    if the cache is closed.
     * @throws RdmaException            if the memory cannot be registered.
     */
    public synchronized Registration acquire(final long address, final long length)
    {
        if (closed)
        {
            throw new IllegalStateException("the registration cache is closed");
        }
        if (length <= 0 || length > Long.MAX_VALUE - 2 * PAGE_SIZE)
        {
            throw new IllegalArgumentException("length=" + length + " cannot be registered; it must be greater than 0");
        }

        final long begin = address & -PAGE_SIZE;
        final long end = (address + length + PAGE_SIZE - 1) & -PAGE_SIZE;
        final int index = firstEndingAfter(begin);
        Registration found = index < size ? entries[index] : null;
        if (found != null && found.address() <= begin && end <= found.end())
        {
            hits++;
        }
        else
        {
            misses++;
            found = register(index, begin, end);
        }

        if (found.holders++ == 0 && isIdle(found))
        {
            unlinkIdle(found);
        }
        return found;
    }

    /**
     * Invalidates registrations that overlap memory which is about to be freed. Those that are not held are
     * deregistered immediately, the others on their last release; none is a hit again.
     *
     * @param address address of the first byte.
     * @param length  length in bytes.
     */
    public synchronized void invalidate(final long address, final long length)
    {
        final int from = firstEndingAfter(address);
        int to = from;
        while (to < size && entries[to].address() < address + length)
        {
            to++;
        }
        forget(from, to);
    }

    /**
     * The number of registrations in the cache.
     *
     * @return count of registrations, held or not.
     */
    public synchronized int size()
    {
        return size;
    }

    /**
     * The total length of registrations that are not held.
     *
     * @return length in bytes.
     */
    public synchronized long idleBytes()
    {
        return idleBytes;
    }

    /**
     * The number of hits.
     *
     * @return count since the cache was created.
     */
    public synchronized long hits()
    {
        return hits;
    }

    /**
     * The number of misses.
     *
     * @return count since the cache was created.
     */
    public synchronized long misses()
    {
        return misses;
    }

    /**
     * Deregisters registrations that are not held, and the others on their last release; the protection domain can be
     * closed after that. Idempotent.
     */
    @Override
    public synchronized void close()
    {
        closed = true;
        forget(0, size);
    }

    synchronized void release(final Registration registration)
    {
        if (registration.holders == 0)
        {
            throw new IllegalStateException("the registration was released more often than acquired");
        }
        if (--registration.holders > 0)
        {
            return;
        }

        if (registration.indexed)
        {
            linkIdle(registration);
            evictDownTo(maxIdleEntries, maxIdleBytes);
        }
        else
        {
            registration.deregister();
        }
    }

    private Registration register(final int from, final long begin, final long end)
    {
        int to = from;
        while (to < size && entries[to].address() < end)
        {
            to++;
        }

        final long unionBegin = from < to ? Math.min(begin, entries[from].address()) : begin;
        final long unionEnd = from < to ? Math.max(end, entries[to - 1].end()) : end;
        Registration registration;
        try
        {
            registration = registerOrEvict(unionBegin, unionEnd);
        }
        catch (final RdmaException ex)
        {
            if (unionBegin == begin && unionEnd == end)
            {
                throw ex;
            }
            // The registrations that overlap the requested range may be stale: register only that range.
            registration = registerOrEvict(begin, end);
        }

        // Eviction may have moved the entries.
        final int first = firstEndingAfter(begin);
        int last = first;
        while (last < size && entries[last].address() < end)
        {
            last++;
        }
        forget(first, last);
        insert(first, registration);
        return registration;
    }

    private Registration registerOrEvict(final long begin, final long end)
    {
        try
        {
            return new Registration(this, domain.registerMemory(begin, end - begin, access));
        }
        catch (final RdmaException ex)
        {
            if (ex.errno() != Errno.ENOMEM || idleEntries == 0)
            {
                throw ex;
            }
            evictDownTo(0, 0);
            return new Registration(this, domain.registerMemory(begin, end - begin, access));
        }
    }

    private void evictDownTo(final int maxEntries, final long maxBytes)
    {
        while (idleEntries > maxEntries || idleBytes > maxBytes)
        {
            final int index = firstEndingAfter(oldestIdle.address());
            forget(index, index + 1);
        }
    }

    /** Removes entries from the index; those that are not held are deregistered. */
    private void forget(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            final Registration registration = entries[i];
            registration.indexed = false;
            if (registration.holders == 0)
            {
                unlinkIdle(registration);
                registration.deregister();
            }
        }

        System.arraycopy(entries, to, entries, from, size - to);
        Arrays.fill(entries, size - (to - from), size, null);
        size -= to - from;
    }

    private void insert(final int index, final Registration registration)
    {
        if (size == entries.length)
        {
            entries = Arrays.copyOf(entries, 2 * size);
        }
        System.arraycopy(entries, index, entries, index + 1, size - index);
        entries[index] = registration;
        registration.indexed = true;
        size++;
    }

    private int firstEndingAfter(final long address)
    {
        int low = 0;
        int high = size;
        while (low < high)
        {
            final int middle = (low + high) >>> 1;
            if (entries[middle].end() > address)
            {
                high = middle;
            }
            else
            {
                low = middle + 1;
            }
        }
        return low;
    }

    private boolean isIdle(final Registration registration)
    {
        return registration == oldestIdle || registration.older != null;
    }

    private void linkIdle(final Registration registration)
    {
        registration.older = newestIdle;
        if (newestIdle == null)
        {
            oldestIdle = registration;
        }
        else
        {
            newestIdle.newer = registration;
        }
        newestIdle = registration;
        idleEntries++;
        idleBytes += registration.length();
    }

    private void unlinkIdle(final Registration registration)
    {
        if (registration.older == null)
        {
            oldestIdle = registration.newer;
        }
        else
        {
            registration.older.newer = registration.newer;
        }
        if (registration.newer == null)
        {
            newestIdle = registration.older;
        }
        else
        {
            registration.newer.older = registration.older;
        }
        registration.older = null;
        registration.newer = null;
        idleEntries--;
        idleBytes -= registration.length();
    }
}
