/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import com.ibm.disni.util.MemBuf;
import org.agrona.UnsafeApi;
import org.tutti.rdma.ReceiveWorkRequest;

import java.io.IOException;
import java.lang.reflect.Field;

/**
 * A stateful verb call that posts to one queue pair of the device. DiSNI's methods can change neither the opcode nor
 * the immediate data of such a call, so requests are copied into the native memory that the call posts from. Their
 * lists and data are not copied. Not thread-safe; adding and posting allocate nothing.
 */
abstract class PostCall
{
    /** Maximum number of requests posted by one call. */
    static final int CAPACITY = 16;

    private final long memory;
    private final int size;
    private int count;

    /**
     * Wraps a call with memory for {@value #CAPACITY} requests.
     *
     * @param call call of DiSNI.
     * @param size size of a request in bytes.
     */
    PostCall(final Object call, final int size)
    {
        memory = memory(call);
        this.size = size;
    }

    /** Reads the address of a call's native memory by reflection, because DiSNI does not expose it. */
    private static long memory(final Object call)
    {
        try
        {
            final Field field = call.getClass().getDeclaredField("cmd");
            field.setAccessible(true);
            return ((MemBuf)field.get(call)).address();
        }
        catch (final ReflectiveOperationException e)
        {
            throw new IllegalStateException("DiSNI is not version 2.1", e);
        }
    }

    boolean isFull()
    {
        return count == CAPACITY;
    }

    int count()
    {
        return count;
    }

    /**
     * Appends a request; the caller ensures that there is space.
     *
     * @param request request to copy.
     * @param id      identifier for the copy.
     * @return address of the copy.
     */
    long add(final long request, final long id)
    {
        final long slot = memory + (long)count * size;
        UnsafeApi.copyMemory(request, slot, size);
        // Both structures start with the same fields.
        UnsafeApi.putLong(slot + ReceiveWorkRequest.WR_ID_OFFSET, id);
        UnsafeApi.putLong(slot + ReceiveWorkRequest.NEXT_OFFSET, slot + size);
        count++;
        return slot;
    }

    /**
     * Posts the added requests and clears the call.
     *
     * @return 0, or the errno of a rejected request; DiSNI does not report which.
     */
    int post()
    {
        UnsafeApi.putLong(memory + (long)(count - 1) * size + ReceiveWorkRequest.NEXT_OFFSET, 0);
        count = 0;
        try
        {
            execute();
            return 0;
        }
        catch (final IOException e)
        {
            return DisniErrors.errno(e);
        }
    }

    /** Calls the device. */
    abstract void execute() throws IOException;

    /** Frees the memory. */
    abstract void free() throws IOException;
}
