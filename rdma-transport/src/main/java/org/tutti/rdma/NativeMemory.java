/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import org.agrona.DirectBuffer;

/** What the flyweights of requests ask of their buffers. Stateless. */
final class NativeMemory
{
    private NativeMemory()
    {
    }

    /**
     * Refuses a buffer over an array: its address would be that of other memory.
     *
     * @param buffer buffer to put a flyweight over.
     */
    static void check(final DirectBuffer buffer)
    {
        if (buffer.byteArray() != null)
        {
            throw new IllegalArgumentException("the buffer of " + buffer.capacity() + " bytes is over an array, which" +
                " has no address; wrap a direct ByteBuffer or native memory");
        }
    }
}
