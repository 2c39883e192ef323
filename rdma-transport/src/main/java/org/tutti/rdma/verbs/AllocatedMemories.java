/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.spi.Children;
import org.tutti.rdma.spi.Parents;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The memories that a context mapped, by address: none is unmapped while a memory region covers part of it.
 * Thread-safe.
 */
final class AllocatedMemories
{
    private static final long PAGE = org.agrona.UnsafeApi.pageSize();
    private static final String VERB = "allocate_memory";

    private final TreeMap<Long, VerbsAllocatedMemory> memories = new TreeMap<>();

    VerbsAllocatedMemory allocate(final Children siblings, final long length)
    {
        if (length <= 0 || length > Long.MAX_VALUE - MemoryCalls.HUGE_PAGE)
        {
            throw VerbsErrors.invalid(VERB, length + " bytes: must be greater than 0");
        }
        final Parents parents = Parents.retain(VERB, siblings);
        try
        {
            final long rounded = (length + PAGE - 1) & -PAGE;
            final VerbsAllocatedMemory memory = new VerbsAllocatedMemory(this, parents, map(rounded), rounded);
            synchronized (this)
            {
                memories.put(memory.address(), memory);
            }
            return memory;
        }
        catch (final RuntimeException ex)
        {
            parents.release();
            throw ex;
        }
    }

    private static long map(final long length)
    {
        final long address = MemoryCalls.mapLarge(length);
        if (address < 0)
        {
            throw new RdmaException((int)-address, VERB, "cannot map " + length + " bytes" + (address == -Errno.ENOMEM ?
                "; the host does not have that much memory, or it exceeds 'ulimit -v'" : ""));
        }
        return address;
    }

    /**
     * The child counters of all memories that overlap a range.
     *
     * @param address address of the first byte.
     * @param length  length in bytes.
     * @return list, usually with at most one element.
     */
    synchronized List<Children> at(final long address, final long length)
    {
        final List<Children> found = new ArrayList<>();
        final long end = address + length;
        Long key = memories.floorKey(address);
        key = key == null ? memories.ceilingKey(address) : key;
        for (; key != null && key < end; key = memories.higherKey(key))
        {
            final VerbsAllocatedMemory memory = memories.get(key);
            if (memory.address() + memory.length() > address)
            {
                found.add(memory.children());
            }
        }
        return found;
    }

    synchronized void remove(final VerbsAllocatedMemory memory)
    {
        memories.remove(memory.address());
    }
}
