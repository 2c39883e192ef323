/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

/**
 * What a context shares with its peers: one sparse file, mapped whole by its owner and by every peer, whose pages are
 * reserved before they are first touched.
 * <pre>
 *        offset  what
 *             0  header: identity of the owner, limits, doorbells
 *         4 KiB  ring of asynchronous events
 *        16 KiB  queue pairs, {@link QueuePairEntry}
 *         2 MiB  memory regions, {@link RegionEntry}
 *         8 MiB  heap: completion rings, receive queues, channels
 *         1 GiB  end
 * </pre>
 * A <i>token</i> names a context for ever: bits 0 to 11 its index in the directory, bits 12 to 30 an incarnation that
 * differs between the contexts which had this index one after the other. It is never 0 and never negative.
 */
final class ControlLayout
{
    static final long MAGIC = 0x4d_48_53_49_54_54_55_54L;
    static final int VERSION = 2;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int TOKEN_OFFSET = 12;
    static final int PID_OFFSET = 16;
    /** What tells the owner's process numbers from those of another namespace. */
    static final int PID_NAMESPACE_OFFSET = 24;
    static final int PROCESS_OFFSET = 32;
    /** 1 when the owner closed the context. */
    static final int CLOSED_OFFSET = 60;
    /** How many entries of the table of queue pairs have pages. */
    static final int QP_LIMIT_OFFSET = 64;
    /** How many entries of the table of regions have pages. */
    static final int REGION_LIMIT_OFFSET = 68;
    /** The owner's progress thread sleeps on it. */
    static final int DOORBELL_OFFSET = 128;
    /** Those that wait for asynchronous events sleep on it. */
    static final int EVENT_WORD_OFFSET = 192;

    static final int EVENT_RING_OFFSET = 4096;
    static final int EVENT_RING_CAPACITY = 128;
    static final int QP_TABLE_OFFSET = 16 << 10;
    static final int QP_BITS = 12;
    static final int MAX_QPS = 1 << QP_BITS;
    static final int REGION_TABLE_OFFSET = 2 << 20;
    static final int MAX_REGIONS = 1 << 16;
    static final long HEAP_OFFSET = 8L << 20;
    static final long LENGTH = 1L << 30;

    static final int MAX_CONTEXTS = 1 << 12;
    static final int INDEX_MASK = MAX_CONTEXTS - 1;
    static final int MAX_INCARNATION = (1 << 19) - 1;

    private ControlLayout()
    {
    }

    static int token(final int index, final int incarnation)
    {
        return incarnation << QP_BITS | index;
    }

    static int index(final int token)
    {
        return token & INDEX_MASK;
    }

    static int qpNum(final int contextIndex, final int localIndex)
    {
        return contextIndex << QP_BITS | localIndex;
    }

    static int contextIndex(final int qpNum)
    {
        return qpNum >>> QP_BITS;
    }

    static int localIndex(final int qpNum)
    {
        return qpNum & (MAX_QPS - 1);
    }

    static long queuePair(final long control, final int localIndex)
    {
        return control + QP_TABLE_OFFSET + (long)localIndex * QueuePairEntry.SIZE;
    }

    static long region(final long control, final int index)
    {
        return control + REGION_TABLE_OFFSET + (long)index * RegionEntry.SIZE;
    }
}
