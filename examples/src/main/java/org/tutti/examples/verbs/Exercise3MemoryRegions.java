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
 * Exercise 3: open a device, allocate a protection domain, and register three memory regions: one for local reads, one
 * for local writes, one for remote writes.
 * <p>
 * An adapter touches no memory but what was registered: the pages are pinned, their physical addresses known to it.
 * What a region may be used for is said once, when it is registered. Local reads need no right: from any region can be
 * sent. Receiving needs {@code LOCAL_WRITE}. Each right of a peer is one of its own, and who lets peers write must let
 * itself write too.
 * <p>
 * One buffer can be registered many times, with rights that differ. Each region has two keys: the {@code lkey} for work
 * requests of this process, the {@code rkey} for those of peers that it was told to. A protection domain ties regions
 * and queue pairs together: a queue pair can use only what is of its own domain.
 */
@Command(name = "verbs-3", mixinStandardHelpOptions = true,
    description = "Three memory regions, each with other rights.")
final class Exercise3MemoryRegions extends Example
{
    private static final int LENGTH = 4096;
    private static final int REMOTE_WRITE = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    @Override
    public Integer call()
    {
        // What is opened last is closed first: nothing can go before what was made from it.
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
            tryToRegisterForPeersOnly(pd, memory);
        }
        return 0;
    }

    private void tryToRegisterForPeersOnly(final ProtectionDomain pd, final AllocatedMemory memory)
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
