/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.Errno;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.RdmaException;
import picocli.CommandLine.Command;

/**
 * Exercise 3: open a device, allocate a protection domain, and register three memory regions: for local reads, local
 * writes, and remote writes.
 * <p>
 * An adapter accesses only registered memory, whose pages are pinned and whose physical addresses it knows. The access
 * flags of a region are fixed at registration. Local reads need no flag: data can be sent from any region. Receiving
 * needs {@code LOCAL_WRITE}. Each kind of remote access has its own flag, and remote writes require local writes too.
 * <p>
 * A buffer can be registered several times with different flags. Each region has two keys: the {@code lkey} for work
 * requests of this process, the {@code rkey} for those of peers that know it. A protection domain groups regions and
 * queue pairs: a queue pair can use only regions of its own domain.
 */
@Command(name = "verbs-3", mixinStandardHelpOptions = true,
    description = "Three memory regions with different access flags.")
final class Exercise3MemoryRegions extends Example
{
    private static final int LENGTH = 4096;
    private static final int REMOTE_WRITE = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    @Override
    public Integer call()
    {
        // Resources are closed in reverse order: none can be closed before those created from it.
        try (Port port = open();
            ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(LENGTH);
            MemoryRegion readable = pd.registerMemory(memory.address(), LENGTH, 0);
            MemoryRegion writable = pd.registerMemory(memory.address(), LENGTH, AccessFlags.LOCAL_WRITE);
            MemoryRegion shared = pd.registerMemory(memory.address(), LENGTH, REMOTE_WRITE))
        {
            print("local read", readable);
            print("local write", writable);
            print("remote write", shared);
            tryRemoteWriteOnly(pd, memory);
        }
        return 0;
    }

    private void tryRemoteWriteOnly(final ProtectionDomain pd, final AllocatedMemory memory)
    {
        try (MemoryRegion region = pd.registerMemory(memory.address(), LENGTH, AccessFlags.REMOTE_WRITE))
        {
            print("remote write only, which the specification forbids", region);
        }
        catch (final RdmaException e)
        {
            say("remote write without local write: refused, %s", Errno.name(e.errno()));
        }
    }

    private void print(final String what, final MemoryRegion region)
    {
        say("%-12s  %d bytes at %x, access %d, lkey %08x, rkey %08x",
            what, region.length(), region.address(), region.access(), region.lkey(), region.rkey());
    }
}
