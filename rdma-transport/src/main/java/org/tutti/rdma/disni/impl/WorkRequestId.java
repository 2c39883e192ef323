/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

/**
 * The wr_id that the device gets instead of the user's. With DiSNI a failed completion has no queue pair number, and
 * the device's numbers differ from those known to peers, so completions are matched by this identifier.
 * <pre>
 *   63        62 .. 48    47 .. 24            23 .. 0
 *   receive   attempt     index of the QP     position in its queue
 * </pre>
 * Stateless.
 */
final class WorkRequestId
{
    static final int MAX_ATTEMPT = 0x7FFF;
    static final int MAX_INDEX = 0xFF_FFFF;
    static final int POSITION_MASK = 0xFF_FFFF;

    private static final int ATTEMPT_SHIFT = 48;
    private static final int INDEX_SHIFT = 24;

    private WorkRequestId()
    {
    }

    static long of(final boolean isReceive, final int attempt, final int index, final long position)
    {
        return (isReceive ? Long.MIN_VALUE : 0) | (long)attempt << ATTEMPT_SHIFT | (long)index << INDEX_SHIFT |
            (position & POSITION_MASK);
    }

    static boolean isReceive(final long id)
    {
        return id < 0;
    }

    static int attempt(final long id)
    {
        return (int)(id >>> ATTEMPT_SHIFT) & MAX_ATTEMPT;
    }

    static int index(final long id)
    {
        return (int)(id >>> INDEX_SHIFT) & MAX_INDEX;
    }

    static int position(final long id)
    {
        return (int)id & POSITION_MASK;
    }
}
