/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.collections.IntArrayList;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.util.Arrays;

/**
 * The routes of a context's address handles, by the handle numbers in work requests. The number of a closed handle is
 * not reused. Thread-safe; lookup allocates nothing.
 */
public final class AddressHandles
{
    public static final int MAX = 1 << 16;

    private static final int INDEX_MASK = MAX - 1;

    private volatile DatagramRoute[] table = new DatagramRoute[0];
    private final IntArrayList free = new IntArrayList();
    private long lastSerial;

    /**
     * Adds a route.
     *
     * @param domain       number of the protection domain that may use it.
     * @param attributes   attributes, already checked.
     * @param contextIndex index of the destination context, or {@link DatagramRoute#GROUP}.
     * @param sourceLid    source LID.
     * @return the route, with a number that is never 0.
     */
    public synchronized DatagramRoute add(
        final int domain, final AddressHandleAttributes attributes, final int contextIndex, final int sourceLid)
    {
        if (free.isEmpty())
        {
            grow();
        }
        final int index = free.popInt();
        final DatagramRoute route =
            new DatagramRoute(++lastSerial * MAX | index, domain, attributes, contextIndex, sourceLid);
        table[index] = route;
        return route;
    }

    private void grow()
    {
        final int before = table.length;
        if (before == MAX)
        {
            throw new RdmaException(Errno.ENOMEM, "ibv_create_ah", MAX +
                " address handles are open, the maximum of a context; close some, or share them");
        }
        final int after = Math.max(16, before * 2);
        for (int index = after - 1; index >= before; index--)
        {
            free.pushInt(index);
        }
        table = Arrays.copyOf(table, after);
    }

    /**
     * Finds a route.
     *
     * @param number number from a work request.
     * @return the route, or null if no open handle has that number.
     */
    DatagramRoute find(final long number)
    {
        final DatagramRoute[] all = table;
        final int index = (int)number & INDEX_MASK;
        final DatagramRoute route = index < all.length ? all[index] : null;
        return route != null && route.handle() == number ? route : null;
    }

    /**
     * Removes a route.
     *
     * @param number number of the route.
     */
    public synchronized void remove(final long number)
    {
        final int index = (int)number & INDEX_MASK;
        table[index] = null;
        free.pushInt(index);
    }
}
