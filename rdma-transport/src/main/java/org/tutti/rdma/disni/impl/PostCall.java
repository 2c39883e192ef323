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
 * A stateful verb call that posts to one queue pair of the device. DiSNI lets little of such a call be changed through
 * its own methods, neither the opcode nor the immediate data, so requests are copied, as they are, into the native
 * memory that the call posts from. Their lists and data stay where they are. Not thread-safe; adding and posting
 * allocate nothing.
 */
abstract class PostCall
{
    /** Requests that are posted by one call of the device. */
    static final int CAPACITY = 16;

    private final long memory;
    private final int size;
    private int count;

    /**
     * For a call whose memory has room for {@value #CAPACITY} requests.
     *
     * @param call DiSNI's call.
     * @param size size of a request.
     */
    PostCall(final Object call, final int size)
    {
        memory = memory(call);
        this.size = size;
    }

    /** DiSNI gives no other way to it. */
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
            throw new IllegalStateException("this DiSNI is not 2.1", e);
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
     * Appends a request, when there is room.
     *
     * @param request request to copy.
     * @param id      identifier to give to the copy.
     * @return where the copy is.
     */
    long add(final long request, final long id)
    {
        final long slot = memory + (long)count * size;
        UnsafeApi.copyMemory(request, slot, size);
        // The two structures begin alike.
        UnsafeApi.putLong(slot + ReceiveWorkRequest.WR_ID_OFFSET, id);
        UnsafeApi.putLong(slot + ReceiveWorkRequest.NEXT_OFFSET, slot + size);
        count++;
        return slot;
    }

    /**
     * Posts what was added; afterwards there is nothing in it.
     *
     * @return 0, or the errno with which the device refused one of them; DiSNI does not tell which.
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

    /** Gives the memory back. */
    abstract void free() throws IOException;
}
