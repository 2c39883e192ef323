/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.lang.foreign.MemorySegment;

/**
 * Elements of one type in registered memory, from {@link Communicator#allocate}, which collectives access without
 * staging; or in memory of the caller, from {@link Communicator#register}.
 * <p>
 * Owned by the caller, who closes it before the communicator. It may be passed to all communicators of one context: the
 * world and all that were split off it, directly or indirectly; the last of them to close frees remaining buffers. The
 * elements are initially zero. Not thread-safe: no thread may access the elements while a collective uses them.
 */
public interface DataBuffer extends AutoCloseable
{
    /**
     * Returns the type of the elements.
     *
     * @return never null.
     */
    DataType type();

    /**
     * Returns the number of elements.
     *
     * @return number of elements, from 0; may exceed 2^31.
     */
    long count();

    /**
     * Returns the elements as memory that any thread may access until the buffer is closed. Each later access throws an
     * {@link IllegalStateException}, also in a thread that is in a loop of accesses when another one closes the buffer
     * or the last communicator of its context. The elements of a slice last as long as the whole buffer. Memory of the
     * caller lasts as long as its arena. Code that accesses memory by address, such as a native library that keeps the
     * address, has no such protection.
     *
     * @return {@code count() * type().size()} bytes in native byte order, aligned to 64 bytes, or, for a slice, to the
     *         size of an element; memory of the caller is aligned as the caller has allocated it.
     */
    MemorySegment segment();

    /**
     * Returns a part of this buffer as a view of the same memory; closing the view has no effect.
     *
     * @param offset first element.
     * @param count  number of elements.
     * @return a view.
     * @throws IndexOutOfBoundsException if the part is not within this buffer.
     */
    DataBuffer slice(long offset, long count);

    /**
     * Returns the memory to the pool of the context, or ends its registration. Idempotent.
     *
     * @throws IllegalStateException if a request or window, or a native call or I/O operation on the {@link
     *                               #segment()}, uses the buffer, which stays open.
     */
    @Override
    void close();
}
