/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

/**
 * The layout of a control segment, which a context shares with its peers: one sparse file, mapped as a whole by its
 * owner and every peer. The owner reserves each page of the file before first use.
 * <pre>
 *        offset  what
 *             0  header: identity of the owner, limits, doorbells
 *         4 KiB  ring of asynchronous events
 *        16 KiB  queue pairs, {@link QueuePairEntry}
 *         2 MiB  memory regions, {@link RegionEntry}
 *         8 MiB  heap: completion rings, receive queues, channels
 *         1 GiB  end
 * </pre>
 * A <i>token</i> identifies a context permanently: bits 0 to 11 are the context's index in the directory, bits 12 to 30
 * an incarnation that differs between successive contexts with this index. A token is always greater than 0.
 */
public final class ControlLayout
{
    public static final long MAGIC = 0x4d_48_53_49_54_54_55_54L;
    public static final int VERSION = 2;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 8;
    public static final int TOKEN_OFFSET = 12;
    public static final int PID_OFFSET = 16;
    /** The owner's PID namespace. */
    public static final int PID_NAMESPACE_OFFSET = 24;
    public static final int PROCESS_OFFSET = 32;
    /** 1 when the owner closed the context. */
    public static final int CLOSED_OFFSET = 60;
    /** The number of entries of the queue pair table whose pages are reserved. */
    public static final int QP_LIMIT_OFFSET = 64;
    /** The number of entries of the region table whose pages are reserved. */
    public static final int REGION_LIMIT_OFFSET = 68;
    /** The futex word that the owner's progress thread sleeps on. */
    public static final int DOORBELL_OFFSET = 128;
    /** The futex word that threads waiting for asynchronous events sleep on. */
    public static final int EVENT_WORD_OFFSET = 192;

    public static final int EVENT_RING_OFFSET = 4096;
    public static final int EVENT_RING_CAPACITY = 128;
    public static final int QP_TABLE_OFFSET = 16 << 10;
    public static final int QP_BITS = 12;
    public static final int MAX_QPS = 1 << QP_BITS;
    static final int REGION_TABLE_OFFSET = 2 << 20;
    public static final int MAX_REGIONS = 1 << 16;
    static final long HEAP_OFFSET = 8L << 20;
    public static final long LENGTH = 1L << 30;

    public static final int MAX_CONTEXTS = 1 << 12;
    static final int INDEX_MASK = MAX_CONTEXTS - 1;
    public static final int MAX_INCARNATION = (1 << 19) - 1;

    private ControlLayout()
    {
    }

    public static int token(final int index, final int incarnation)
    {
        return incarnation << QP_BITS | index;
    }

    public static int index(final int token)
    {
        return token & INDEX_MASK;
    }

    public static int qpNum(final int contextIndex, final int localIndex)
    {
        return contextIndex << QP_BITS | localIndex;
    }

    public static int contextIndex(final int qpNum)
    {
        return qpNum >>> QP_BITS;
    }

    public static int localIndex(final int qpNum)
    {
        return qpNum & (MAX_QPS - 1);
    }

    public static long queuePair(final long control, final int localIndex)
    {
        return control + QP_TABLE_OFFSET + (long)localIndex * QueuePairEntry.SIZE;
    }

    public static long region(final long control, final int index)
    {
        return control + REGION_TABLE_OFFSET + (long)index * RegionEntry.SIZE;
    }
}
