/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import java.util.Iterator;

/**
 * Segments of a pool's buffers. Closing a segment ends all access through it before its memory is reused or unmapped:
 * a thread that accesses it then gets an exception, instead of another owner's memory or a crash. Thread-safe.
 */
final class BufferSegments
{
    /** Arenas of the open segments. Shared: the JVM lets no thread be in an access when it closes one. */
    private final IdentityHashMap<MemorySegment, Arena> arenas = new IdentityHashMap<>();
    private boolean isClosed;

    /**
     * Makes a segment of memory.
     *
     * @param address address of the first byte.
     * @param length  length in bytes.
     * @return a segment that all threads may access until it is closed.
     * @throws IllegalStateException if all segments are closed.
     */
    synchronized MemorySegment open(final long address, final long length)
    {
        if (isClosed)
        {
            throw new IllegalStateException("the memory pool is closed");
        }
        final Arena arena = Arena.ofShared();
        final MemorySegment segment = MemorySegment.ofAddress(address).reinterpret(length, arena, null);
        arenas.put(segment, arena);
        return segment;
    }

    /**
     * Ends all access through a segment. Does nothing if it is closed, or not one of these.
     *
     * @throws IllegalStateException if a native call or an I/O operation uses the segment, which stays open.
     */
    synchronized void close(final MemorySegment segment)
    {
        final Arena arena = arenas.get(segment);
        if (arena != null)
        {
            close(arena);
            arenas.remove(segment);
        }
    }

    /**
     * Ends all access through all segments that are not in use by a native call or an I/O operation.
     *
     * @return the first problem, or null.
     */
    synchronized RuntimeException closeAll()
    {
        isClosed = true;
        RuntimeException first = null;
        for (final Iterator<Arena> iterator = arenas.values().iterator(); iterator.hasNext();)
        {
            try
            {
                close(iterator.next());
                iterator.remove();
            }
            catch (final IllegalStateException ex)
            {
                first = first == null ? ex : first;
            }
        }
        return first;
    }

    /** Returns whether an open segment is within a range of memory. */
    synchronized boolean isAnyIn(final long address, final long length)
    {
        for (final MemorySegment segment : arenas.keySet())
        {
            if (segment.address() >= address && segment.address() < address + length)
            {
                return true;
            }
        }
        return false;
    }

    private static void close(final Arena arena)
    {
        try
        {
            arena.close();
        }
        catch (final IllegalStateException ex)
        {
            throw new IllegalStateException("a native call or an I/O operation uses the buffer's segment: close the " +
                "buffer when it has ended", ex);
        }
    }
}
