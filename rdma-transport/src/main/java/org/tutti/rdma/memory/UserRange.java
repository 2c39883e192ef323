/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Memory of the pool's user, registered with each domain. Guarded by the pool's lock. */
final class UserRange implements RegisteredRange
{
    private final MemorySegment segment;
    private final Registration[] registrations;
    private boolean isFreed;

    private UserRange(final MemorySegment segment, final Registration[] registrations)
    {
        this.segment = segment;
        this.registrations = registrations;
    }

    /** Registers memory; if one of the registrations fails, none is left. */
    static UserRange register(final List<RegistrationCache> caches, final MemorySegment segment)
    {
        final Registration[] registrations = new Registration[caches.size()];
        try
        {
            for (int i = 0; i < registrations.length; i++)
            {
                registrations[i] = caches.get(i).acquire(segment);
            }
            return new UserRange(segment, registrations);
        }
        catch (final RuntimeException e)
        {
            release(registrations);
            throw e;
        }
    }

    private static void release(final Registration[] registrations)
    {
        for (final Registration registration : registrations)
        {
            if (registration != null)
            {
                registration.release();
            }
        }
    }

    /** Returns whether the memory has been freed although it is registered; true once. */
    boolean isNewlyFreed()
    {
        final boolean isNew = !isFreed && !segment.scope().isAlive();
        isFreed |= isNew;
        return isNew;
    }

    long length()
    {
        return segment.byteSize();
    }

    void release()
    {
        release(registrations);
    }

    @Override
    public long address()
    {
        return segment.address();
    }

    @Override
    public int lkey(final int domain)
    {
        return registrations[domain].lkey();
    }

    @Override
    public int rkey(final int domain)
    {
        return registrations[domain].rkey();
    }
}
