/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.NodeType;
import org.tutti.rdma.TransportType;
import org.tutti.rdma.shm.peer.Fabric;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The only device of the provider. */
final class ShmDevice implements Device
{
    private static final long GUID = hostGuid();

    private final Path directory;

    ShmDevice(final Path directory)
    {
        this.directory = directory;
    }

    @Override
    public String name()
    {
        return "shm0";
    }

    @Override
    public NodeType nodeType()
    {
        return NodeType.UNSPECIFIED;
    }

    @Override
    public TransportType transportType()
    {
        return TransportType.UNSPECIFIED;
    }

    @Override
    public long guid()
    {
        return GUID;
    }

    @Override
    public Context open()
    {
        final Fabric fabric = Fabric.join(directory);
        try
        {
            return new ShmContext(this, fabric);
        }
        catch (final RuntimeException e)
        {
            fabric.leave();
            throw e;
        }
    }

    /** Derives a locally administered EUI-64, whose last 16 bits are free, from the boot ID of this host. */
    private static long hostGuid()
    {
        final Path file = Path.of("/proc/sys/kernel/random/boot_id");
        String name = "localhost";
        try
        {
            name = Files.readString(file);
        }
        catch (final IOException e)
        {
            // Not Linux: every host has the same GUID, and the directory's number tells them apart.
        }
        return (Fabric.hash(name) & 0xFCFF_FFFF_FFFF_0000L) | 0x0200_0000_0000_0000L;
    }
}
