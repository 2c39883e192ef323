/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.lang.foreign.MemorySegment;

/**
 * Elements of one type in registered memory, from {@link Communicator#allocate}: what collectives move without staging.
 * <p>
 * Owned by the caller, who closes it before the communicator. It may be passed to all communicators of a family, those
 * that were split off one world or off each other; the last of them that is closed frees what is left. The elements are
 * zero at first. Not thread-safe: no thread may touch the elements while a collective works on them.
 */
public interface DataBuffer extends AutoCloseable
{
    /**
     * The type of the elements.
     *
     * @return never null.
     */
    DataType type();

    /**
     * How many elements there are.
     *
     * @return from 0, beyond 2^31 if need be.
     */
    long count();

    /**
     * The elements as memory. It must not be touched after {@link #close()}.
     *
     * @return {@code count() * type().size()} bytes, in native byte order; aligned to 64, or if this is a slice, to the
     *     size of an element.
     */
    MemorySegment segment();

    /**
     * A part of this buffer, sharing its memory; closing the part does nothing.
     *
     * @param offset first element.
     * @param count  number of elements.
     * @return a view.
     * @throws IndexOutOfBoundsException if the part is not inside.
     */
    DataBuffer slice(long offset, long count);

    /** Gives the memory back to the family's pool. Idempotent. */
    @Override
    void close();
}
