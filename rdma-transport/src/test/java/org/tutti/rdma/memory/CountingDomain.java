/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.SharedReceiveQueue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

/** A fake host with a configured amount of memory that counts mappings and registrations. */
final class CountingDomain implements ProtectionDomain, Context
{
    final List<Memory> mapped = new ArrayList<>();
    final List<Region> registered = new ArrayList<>();
    /** Of each closed memory, the parts that stayed mapped. */
    final List<long[]> kept = new ArrayList<>();
    long hostBytes = Long.MAX_VALUE;
    int maxRegions = Integer.MAX_VALUE;
    long maxRegionLength = Long.MAX_VALUE;
    /** Memory below this address is unmapped: registering it fails. */
    long unmappedBelow;
    int registrations;

    @Override
    public AllocatedMemory allocateMemory(final long length)
    {
        final long sum = mapped.stream().mapToLong(Memory::length).sum();
        if (length > hostBytes - sum)
        {
            throw new RdmaException(Errno.ENOMEM, "allocate_memory",
                length + " bytes requested, " + (hostBytes - sum) + " free");
        }
        final Memory memory = new Memory(Arena.ofShared(), length);
        mapped.add(memory);
        return memory;
    }

    @Override
    public MemoryRegion registerMemory(final long address, final long length, final int access)
    {
        if (registered.size() == maxRegions)
        {
            throw new RdmaException(Errno.ENOMEM, "ibv_reg_mr", "no more than " + maxRegions + " regions");
        }
        if (address < unmappedBelow)
        {
            throw new RdmaException(Errno.EFAULT, "ibv_reg_mr", "not mapped");
        }
        registrations++;
        final Region region = new Region(address, length, access, registrations);
        registered.add(region);
        return region;
    }

    @Override
    public Context context()
    {
        return this;
    }

    @Override
    public DeviceAttributes queryDevice()
    {
        final DeviceAttributes attributes = new DeviceAttributes();
        attributes.maxMemoryRegionLength = maxRegionLength;
        return attributes;
    }

    @Override
    public void close()
    {
    }

    @Override
    public QueuePair createQueuePair(final QueuePairInitAttributes attributes)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(final int maxWorkRequests, final int maxSge)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public AddressHandle createAddressHandle(final AddressHandleAttributes attributes)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public Device device()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public PortAttributes queryPort(final int portNum)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public Gid queryGid(final int portNum, final int index)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<GidEntry> queryGidTable(final int portNum)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public int queryPkey(final int portNum, final int index)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public int completionVectors()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain()
    {
        return this;
    }

    @Override
    public CompletionChannel createCompletionChannel()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionQueue createCompletionQueue(
        final int capacity, final CompletionChannel channel, final int vector)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public AsyncEvent awaitAsyncEvent(final long timeoutNs)
    {
        throw new UnsupportedOperationException();
    }

    final class Memory implements AllocatedMemory
    {
        private final Arena arena;
        private final long address;
        private final long length;

        Memory(final Arena arena, final long length)
        {
            this.arena = arena;
            this.address = mapSparse(arena, length);
            this.length = length;
        }

        @Override
        public long address()
        {
            return address;
        }

        @Override
        public long length()
        {
            return length;
        }

        @Override
        public void closeExcept(final long... parts)
        {
            final long end = address + length;
            if (registered.stream().anyMatch((region) -> region.address >= address && region.address < end))
            {
                throw new RdmaException(Errno.EBUSY, "free_memory", "registered");
            }
            if (mapped.remove(this))
            {
                kept.add(parts);
                if (parts.length == 0)
                {
                    arena.close();
                }
                else
                {
                    MemoryCalls.unmapExcept(address, length, parts);
                }
            }
        }
    }

    /** Maps a sparse file: pages that are not accessed cost nothing. */
    private static long mapSparse(final Arena arena, final long length)
    {
        try
        {
            final Path file = Files.createTempFile("tutti-memory-test", null);
            try (FileChannel channel = FileChannel.open(file, READ, WRITE, DELETE_ON_CLOSE))
            {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, length, arena).address();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    final class Region implements MemoryRegion
    {
        private final long address;
        private final long length;
        private final int access;
        private final int key;

        Region(final long address, final long length, final int access, final int key)
        {
            this.address = address;
            this.length = length;
            this.access = access;
            this.key = key;
        }

        @Override
        public ProtectionDomain protectionDomain()
        {
            return CountingDomain.this;
        }

        @Override
        public long address()
        {
            return address;
        }

        @Override
        public long length()
        {
            return length;
        }

        @Override
        public int lkey()
        {
            return key;
        }

        @Override
        public int rkey()
        {
            return key;
        }

        @Override
        public int access()
        {
            return access;
        }

        @Override
        public void close()
        {
            registered.remove(this);
        }
    }
}
