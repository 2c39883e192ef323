/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class GuardTest
{
    private static final long SOON_NS = 10_000_000;

    private final ShmProvider provider = new ShmProvider((Path)null);
    private final ShmContext context = (ShmContext)provider.devices().getFirst().open();
    private final long entry = UnsafeApi.allocateMemory(QueuePairEntry.SIZE);

    GuardTest()
    {
        UnsafeApi.setMemory(entry, QueuePairEntry.SIZE, (byte)0);
    }

    @AfterEach
    void close()
    {
        UnsafeApi.freeMemory(entry);
        context.close();
    }

    @Test
    void shouldNotTakeItFromTheLiving()
    {
        try (ShmContext other = (ShmContext)provider.devices().getFirst().open())
        {
            assertTrue(Guard.acquire(other, entry, SOON_NS));
            assertFalse(Guard.acquire(context, entry, SOON_NS));
            assertEquals(other.token(), UnsafeApi.getInt(entry + QueuePairEntry.GUARD_OFFSET));

            Guard.release(entry);
            assertTrue(Guard.acquire(context, entry, SOON_NS));
        }
    }

    @Test
    void shouldTakeItFromTheDead()
    {
        final ShmContext other = (ShmContext)provider.devices().getFirst().open();
        assertTrue(Guard.acquire(other, entry, SOON_NS));
        other.close();

        assertTrue(Guard.acquire(context, entry, SOON_NS));
    }

    @Test
    void shouldTellTheDeadFromTheirSuccessors()
    {
        final ShmContext other = (ShmContext)provider.devices().getFirst().open();
        assertTrue(Guard.acquire(other, entry, SOON_NS));
        other.close();

        try (ShmContext successor = (ShmContext)provider.devices().getFirst().open())
        {
            assertEquals(other.index(), successor.index());
            assertTrue(Guard.acquire(context, entry, SOON_NS));
        }
    }
}
