/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.agrona.UnsafeApi;

/**
 * The part of a memory region that is visible to peers: 64 bytes in the owner's control segment.
 * <pre>
 *  offset  bytes  what
 *       0      4  key, 0 while the entry is free
 *       4      4  access flags
 *       8      8  address in the owner
 *      16      8  length
 *      24      4  protection domain
 *      28      4  token of the context whose {@code allocateMemory} allocated the memory; 0 for other memory
 *      32      8  offset of the region in that memory
 *      40      4  number of that memory
 *      44      4  serial number of the region, which differs between all regions of the context; never 0
 * </pre>
 * A key is the entry's index in bits 15 to 30 and, below it, a generation that is never 0. Peers read an entry only
 * while they hold the guard of one of the owner's queue pairs; to free an entry, the owner marks it free, then
 * waits until all these guards were released.
 */
public final class RegionEntry
{
    public static final int SIZE = 64;
    public static final int ACCESS_OFFSET = 4;
    public static final int ADDRESS_OFFSET = 8;
    public static final int LENGTH_OFFSET = 16;
    public static final int DOMAIN_OFFSET = 24;
    public static final int MEMORY_TOKEN_OFFSET = 28;
    public static final int MEMORY_OFFSET_OFFSET = 32;
    public static final int MEMORY_NUMBER_OFFSET = 40;
    public static final int SERIAL_OFFSET = 44;
    static final int GENERATION_BITS = 15;

    private RegionEntry()
    {
    }

    public static int index(final int key)
    {
        return key >>> GENERATION_BITS;
    }

    static int key(final int index, final int generation)
    {
        return index << GENERATION_BITS | generation;
    }

    /**
     * Looks up a key.
     *
     * @param control control segment of the regions' owner.
     * @param key     key from a work request.
     * @return address of the entry, or 0 if the key is not valid now.
     */
    public static long find(final long control, final int key)
    {
        final int index = index(key);
        // A key greater than 0 has an index below MAX_REGIONS, whatever the limit is.
        if (key <= 0 || index >= UnsafeApi.getInt(control + ControlLayout.REGION_LIMIT_OFFSET))
        {
            return 0;
        }
        final long entry = ControlLayout.region(control, index);
        return UnsafeApi.getIntAcquire(null, entry) == key ? entry : 0;
    }

    /**
     * Whether an access is permitted.
     *
     * @param entry   entry from {@link #find}.
     * @param domain  protection domain of the queue pair.
     * @param access  access flags, all required.
     * @param address address of the first byte, in the owner.
     * @param length  length in bytes.
     * @return false if domain, flags or bounds forbid it.
     */
    public static boolean allows(
        final long entry, final int domain, final int access, final long address, final long length)
    {
        final long offset = address - UnsafeApi.getLong(entry + ADDRESS_OFFSET);
        final long regionLength = UnsafeApi.getLong(entry + LENGTH_OFFSET);
        return offset >= 0 && length <= regionLength && offset <= regionLength - length &&
            (UnsafeApi.getInt(entry + ACCESS_OFFSET) & access) == access &&
            UnsafeApi.getInt(entry + DOMAIN_OFFSET) == domain;
    }
}
