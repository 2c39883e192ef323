/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;

import java.lang.foreign.Arena;

/**
 * A queue pair that another library created with libibverbs, for queries and changes that the other library does not
 * offer. The caller ensures that the queue pair is not destroyed during a call. Immutable.
 */
public final class ForeignQueuePair
{
    private static final int STATE = 1;

    private final long handle;

    /**
     * Wraps a queue pair.
     *
     * @param handle address of the {@code struct ibv_qp}.
     */
    public ForeignQueuePair(final long handle)
    {
        this.handle = handle;
    }

    /**
     * The state of the queue pair in the device ({@code ibv_query_qp}).
     *
     * @return state; the error state if the query fails.
     */
    public QueuePairState state()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long attributes = arena.allocate(Layout.QP_ATTR_SIZE, Long.BYTES).address();
            final long init = arena.allocate(Layout.QP_INIT_ATTR_SIZE, Long.BYTES).address();
            return Libibverbs.QUERY_QP.call(handle, attributes, STATE, init) == 0 ?
                QueuePairStructs.state(attributes) : QueuePairState.ERR;
        }
    }

    /**
     * Changes attributes ({@code ibv_modify_qp}).
     *
     * @param attributes the new values.
     * @param mask       mask of the fields to use.
     * @return 0, or the errno.
     */
    public int modify(final QueuePairAttributes attributes, final int mask)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long values = arena.allocate(Layout.QP_ATTR_SIZE, Long.BYTES).address();
            QueuePairStructs.put(values, attributes);
            return (int)Libibverbs.MODIFY_QP.call(handle, values, mask);
        }
    }
}
