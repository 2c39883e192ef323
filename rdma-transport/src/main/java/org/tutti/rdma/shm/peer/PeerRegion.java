/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

/**
 * A snapshot of a peer's region, taken when this process first used it. The bounds are copies: those in the peer's
 * segment may be overwritten at any time.
 *
 * @param delta   offset from the peer's addresses to those of this process; or {@link #PRIVATE}, {@link #UNMAPPED} or
 *                {@link #FOREIGN}, which is the greatest of the three.
 * @param address address of the first byte, in the peer.
 * @param length  length in bytes.
 */
public record PeerRegion(long delta, long address, long length)
{
    /** Used instead of a delta if the memory is private to another process. */
    static final long PRIVATE = Long.MIN_VALUE;
    /** Used instead of a delta if the memory could not be mapped. */
    static final long UNMAPPED = Long.MIN_VALUE + 1;
    /**
     * Used instead of a delta if the memory is private to a process of another PID namespace, which cannot be
     * addressed.
     */
    static final long FOREIGN = Long.MIN_VALUE + 2;

    /** Whether this process can load from and store to the region. */
    public boolean isMapped()
    {
        return delta > FOREIGN;
    }

    /**
     * Whether a range is inside the region.
     *
     * @param start address of the range in the peer.
     * @param bytes length of the range in bytes, at least 0.
     */
    public boolean covers(final long start, final long bytes)
    {
        final long offset = start - address;
        return offset >= 0 && bytes >= 0 && bytes <= length && offset <= length - bytes;
    }
}
