/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import org.tutti.rdma.MemoryRegion;

/**
 * A user's memory, registered and held from {@link RegistrationCache#acquire} until {@link #release()}. Several holders
 * share one object, so it counts. Thread-safe.
 */
public final class Registration
{
    // Guarded by the cache, as all that is not final.
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
     * The first byte that is registered: a page's, at or before what was asked for.
     *
     * @return a virtual address of this process.
     */
    public long address()
    {
        return region.address();
    }

    /**
     * How much is registered: whole pages, at least what was asked for.
     *
     * @return in bytes.
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
     * Ends one hold of it. No request that uses its keys may be outstanding.
     *
     * @throws IllegalStateException if it was released as often as it was acquired.
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
