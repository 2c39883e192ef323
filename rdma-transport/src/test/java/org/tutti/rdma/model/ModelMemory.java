/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.model;

import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Sge;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The memory of one side of a {@link VerbsModel} and its registered regions. */
final class ModelMemory
{
    private record Key(Region region, int access, boolean isForeign)
    {
    }

    private final long base;
    private final byte[] bytes;
    private final Map<Integer, Key> keys = new HashMap<>();

    ModelMemory(final long base, final int length)
    {
        this.base = base;
        bytes = new byte[length];
    }

    byte[] bytes()
    {
        return bytes;
    }

    void register(final Region region, final int access, final boolean isForeign)
    {
        keys.put(region.lkey(), new Key(region, access, isForeign));
    }

    void deregister(final Region region)
    {
        keys.remove(region.lkey());
    }

    boolean covers(final List<Sge> sges, final int access)
    {
        for (final Sge sge : sges)
        {
            if (sge.length() != 0 && !opens(sge.lkey(), sge.address(), sge.length(), access))
            {
                return false;
            }
        }
        return true;
    }

    boolean opens(final int key, final long address, final long length, final int access)
    {
        final Key found = keys.get(key);
        return found != null && !found.isForeign() && (found.access() & access) == access &&
            address >= found.region().address() &&
            address + length <= found.region().address() + found.region().length();
    }

    byte[] gather(final List<Sge> sges)
    {
        final ByteBuffer data = ByteBuffer.allocate((int)length(sges));
        sges.forEach((sge) -> data.put(load(sge.address(), sge.length())));
        return data.array();
    }

    void scatter(final List<Sge> sges, final byte[] data)
    {
        final ByteBuffer rest = ByteBuffer.wrap(data);
        for (final Sge sge : sges)
        {
            final byte[] part = new byte[Math.min(sge.length(), rest.remaining())];
            rest.get(part);
            store(sge.address(), part);
        }
    }

    byte[] load(final long address, final int length)
    {
        final byte[] loaded = new byte[length];
        if (length > 0)
        {
            System.arraycopy(bytes, (int)(address - base), loaded, 0, length);
        }
        return loaded;
    }

    void store(final long address, final byte[] data)
    {
        if (data.length > 0)
        {
            System.arraycopy(data, 0, bytes, (int)(address - base), data.length);
        }
    }

    static long length(final List<Sge> sges)
    {
        return sges.stream().mapToLong(Sge::length).sum();
    }
}
