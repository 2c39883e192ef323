/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

/**
 * What the device sees as wr_id instead of the user's. A completion that failed has no number of its queue pair with
 * DiSNI, and the numbers that the device gives are not those that peers know, so everything is found by this.
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
