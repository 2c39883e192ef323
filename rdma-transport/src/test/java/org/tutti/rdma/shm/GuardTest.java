/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.rdma.shm.peer.Guard;
import org.tutti.rdma.soft.segment.QueuePairEntry;

import java.io.IOException;
import java.nio.file.Files;
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
    void shouldNotTakeOverGuardWhenHolderIsAlive()
    {
        try (ShmContext other = (ShmContext)provider.devices().getFirst().open())
        {
            assertTrue(Guard.acquire(other.peers(), 0, entry, SOON_NS));
            assertFalse(Guard.acquire(context.peers(), 0, entry, SOON_NS));
            assertEquals(other.token(), UnsafeApi.getInt(entry + QueuePairEntry.GUARD_OFFSET));

            Guard.release(other.peers(), entry);
            assertTrue(Guard.acquire(context.peers(), 0, entry, SOON_NS));
        }
    }

    @Test
    void shouldTakeOverGuardWhenHolderIsDead()
    {
        final ShmContext other = (ShmContext)provider.devices().getFirst().open();
        assertTrue(Guard.acquire(other.peers(), 0, entry, SOON_NS));
        other.close();

        assertTrue(Guard.acquire(context.peers(), 0, entry, SOON_NS));
    }

    @Test
    void shouldTakeOverGuardWhenHolderHasASuccessor()
    {
        final ShmContext other = (ShmContext)provider.devices().getFirst().open();
        assertTrue(Guard.acquire(other.peers(), 0, entry, SOON_NS));
        other.close();

        try (ShmContext successor = (ShmContext)provider.devices().getFirst().open())
        {
            assertEquals(other.index(), successor.index());
            assertTrue(Guard.acquire(context.peers(), 0, entry, SOON_NS));
        }
    }

    @Test
    void shouldNotTakeOverGuardWhenLivenessIsUnknown(@TempDir final Path directory) throws IOException
    {
        final ShmProvider here = new ShmProvider(directory);
        try (ShmContext owner = (ShmContext)here.devices().getFirst().open();
            ShmContext other = (ShmContext)here.devices().getFirst().open())
        {
            final Path file = directory.resolve("ctx-" + other.index());
            final Path aside = directory.resolve("aside");
            Files.move(file, aside);
            // Opening it fails with ELOOP, like EMFILE in a process without free descriptors.
            Files.createSymbolicLink(file, file);
            assertTrue(Guard.acquire(other.peers(), 0, entry, SOON_NS));

            assertFalse(Guard.acquire(owner.peers(), 0, entry, SOON_NS));

            Files.delete(file);
            Files.move(aside, file);
        }
    }

    @Test
    void shouldNotTakeOverGuardWhenConnectedPeerRemovedItsName(@TempDir final Path directory) throws IOException
    {
        final ShmProvider here = new ShmProvider(directory);
        try (Pair owner = new Pair(here, 4096); Pair other = new Pair(here, 4096))
        {
            owner.connect(other.qp.qpNum());
            other.connect(owner.qp.qpNum());
            owner.prepareWrite(other.memory.address(), other.region.rkey());
            other.postReceive();
            owner.postSend(false);

            Files.delete(directory.resolve("ctx-" + ((ShmContext)other.context).index()));
            assertTrue(Guard.acquire(((ShmContext)other.context).peers(), 0, entry, SOON_NS));

            assertFalse(Guard.acquire(((ShmContext)owner.context).peers(), 0, entry, SOON_NS));
        }
    }

    @Test
    void shouldNotReleaseGuardWhenAnotherContextHoldsIt()
    {
        try (ShmContext other = (ShmContext)provider.devices().getFirst().open())
        {
            assertTrue(Guard.acquire(other.peers(), 0, entry, SOON_NS));
            Guard.release(context.peers(), entry);
            assertFalse(Guard.acquire(context.peers(), 0, entry, SOON_NS));
        }
    }
}
