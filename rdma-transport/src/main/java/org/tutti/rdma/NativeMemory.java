/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import org.agrona.DirectBuffer;

/** Checks the buffers of request flyweights. Stateless. */
final class NativeMemory
{
    private NativeMemory()
    {
    }

    /**
     * Rejects a buffer that wraps a Java array: the buffer's {@code addressOffset()} is then an offset in the array and
     * not a native address.
     *
     * @param buffer buffer that a flyweight is to wrap.
     */
    static void check(final DirectBuffer buffer)
    {
        if (buffer.byteArray() != null)
        {
            throw new IllegalArgumentException("the buffer of " + buffer.capacity() + " bytes wraps an array, which " +
                "has no native address; wrap a direct ByteBuffer or native memory");
        }
    }
}
