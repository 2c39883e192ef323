/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.collections.IntArrayList;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.util.Arrays;

/**
 * A context's address handles, by the numbers that work requests carry: a number names one handle, and none after it
 * was closed. Thread-safe; looking up allocates nothing.
 */
final class AddressHandles
{
    static final int MAX = 1 << 16;

    private static final int INDEX_MASK = MAX - 1;

    private volatile ShmAddressHandle[] table = new ShmAddressHandle[0];
    private final IntArrayList free = new IntArrayList();
    private long lastSerial;

    /**
     * Adds one.
     *
     * @param handle that is being made.
     * @return its number, never 0.
     */
    synchronized long add(final ShmAddressHandle handle)
    {
        if (free.isEmpty())
        {
            grow();
        }
        final int index = free.popInt();
        table[index] = handle;
        return ++lastSerial * MAX | index;
    }

    private void grow()
    {
        final int before = table.length;
        if (before == MAX)
        {
            throw new RdmaException(Errno.ENOMEM, "ibv_create_ah", MAX +
                " address handles are open, the most a context has; close some, or share them");
        }
        final int after = Math.max(16, before * 2);
        for (int index = after - 1; index >= before; index--)
        {
            free.pushInt(index);
        }
        table = Arrays.copyOf(table, after);
    }

    /**
     * Finds one.
     *
     * @param number from a work request.
     * @return null when there is none with that number now.
     */
    ShmAddressHandle find(final long number)
    {
        final ShmAddressHandle[] all = table;
        final int index = (int)number & INDEX_MASK;
        final ShmAddressHandle handle = index < all.length ? all[index] : null;
        return handle != null && handle.handle() == number ? handle : null;
    }

    synchronized void remove(final long number)
    {
        final int index = (int)number & INDEX_MASK;
        table[index] = null;
        free.pushInt(index);
    }
}
