/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import org.tutti.rdma.MemoryRegion;

/**
 * A registration of user memory, held from {@link RegistrationCache#acquire} until {@link #release()}. Holders of the
 * same memory share one reference-counted object. Thread-safe.
 */
public final class Registration
{
    // Guarded by the cache's lock, like all fields that are not final.
    int holders;
    boolean indexed;
    Registration older;
    Registration newer;

    private final RegistrationCache cache;
    private final MemoryRegion region;

    Registration(final RegistrationCache cache, final MemoryRegion region)
    {
        this.cache = cache;
        this.region = region;
    }

    /**
     * The address of the first registered byte: page-aligned, at or before the requested one.
     *
     * @return a virtual address of this process.
     */
    public long address()
    {
        return region.address();
    }

    /**
     * The registered length: whole pages, at least the requested length.
     *
     * @return length in bytes.
     */
    public long length()
    {
        return region.length();
    }

    /**
     * The key for scatter/gather entries.
     *
     * @return 32 opaque bits.
     */
    public int lkey()
    {
        return region.lkey();
    }

    /**
     * The key for peers.
     *
     * @return 32 opaque bits.
     */
    public int rkey()
    {
        return region.rkey();
    }

    /**
     * Releases one hold. No request that uses the keys may be outstanding.
     *
     * @throws IllegalStateException if it was released more often than acquired.
     */
    public void release()
    {
        cache.release(this);
    }

    long end()
    {
        return region.address() + region.length();
    }

    void deregister()
    {
        region.close();
    }
}
