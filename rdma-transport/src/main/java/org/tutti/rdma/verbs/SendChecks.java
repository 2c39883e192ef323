/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;

/**
 * Finds send requests that are invalid for a type of queue pair, which not all drivers check. Stateless; allocates
 * nothing.
 */
final class SendChecks
{
    private static final int SENDS = (1 << SendOpcode.SEND) | (1 << SendOpcode.SEND_WITH_IMM);
    private static final int WRITES = (1 << SendOpcode.RDMA_WRITE) | (1 << SendOpcode.RDMA_WRITE_WITH_IMM);
    private static final int ATOMICS =
        (1 << SendOpcode.ATOMIC_CMP_AND_SWP) | (1 << SendOpcode.ATOMIC_FETCH_AND_ADD);
    /** The opcodes that send local data, and so can send it inline. */
    private static final int INLINE = SENDS | WRITES;

    private SendChecks()
    {
    }

    /**
     * The opcodes of a type of queue pair.
     *
     * @param type type of the queue pair.
     * @return a mask with one bit per opcode.
     */
    static int opcodes(final QueuePairType type)
    {
        return switch (type)
        {
            case RC -> SENDS | WRITES | (1 << SendOpcode.RDMA_READ) | ATOMICS;
            case UC -> SENDS | WRITES;
            case UD -> SENDS;
        };
    }

    /**
     * Searches a chain for an invalid request.
     *
     * @param first   address of the first request.
     * @param opcodes mask of the permitted opcodes.
     * @return address of the first invalid request, or 0.
     */
    static long firstInvalid(final long first, final int opcodes)
    {
        long request = first;
        while (request != 0 && isValid(request, opcodes))
        {
            request = UnsafeApi.getLong(request + SendWorkRequest.NEXT_OFFSET);
        }
        return request;
    }

    private static boolean isValid(final long request, final int opcodes)
    {
        final int opcode = UnsafeApi.getInt(request + SendWorkRequest.OPCODE_OFFSET);
        final boolean isInline =
            (UnsafeApi.getInt(request + SendWorkRequest.SEND_FLAGS_OFFSET) & SendFlags.INLINE) != 0;
        final int allowed = isInline ? opcodes & INLINE : opcodes;
        // A shift uses only the low bits of its distance.
        return ((allowed >>> opcode) & 1) != 0 && opcode >>> 5 == 0;
    }

    /**
     * Finds the predecessor of a request.
     *
     * @param first   address of the first request of the chain.
     * @param request address of another request of the chain.
     * @return address of the request before it.
     */
    static long before(final long first, final long request)
    {
        long previous = first;
        long next = UnsafeApi.getLong(previous + SendWorkRequest.NEXT_OFFSET);
        while (next != request)
        {
            previous = next;
            next = UnsafeApi.getLong(previous + SendWorkRequest.NEXT_OFFSET);
        }
        return previous;
    }
}
