/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.Errno;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.shm.peer.Guard;
import org.tutti.rdma.shm.peer.PeerMemory;
import org.tutti.rdma.shm.peer.PeerRegion;
import org.tutti.rdma.soft.queue.SgeList;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.QueueLimits;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.RegionEntry;
import org.tutti.rdma.soft.segment.SegmentBounds;

/**
 * Writes a message, in several parts, to the memory of the peer's receive. Used by one thread at a time, with the
 * peer's {@link Guard} held; allocates nothing.
 */
final class Scatter
{
    /** The message fits the receive. */
    static final int FITS = 0;
    /** The message is longer than the receive. */
    static final int TOO_LONG = 1;
    /** The receive names memory that its queue pair has no right to write. */
    static final int FORBIDDEN = 2;

    private final long control;
    private final PeerMemory memory;
    private long target;
    private long end;
    private long done;

    /**
     * Creates a scatter for a peer.
     *
     * @param control segment of the peer.
     * @param memory  memory of the peer.
     */
    Scatter(final long control, final PeerMemory memory)
    {
        this.control = control;
        this.memory = memory;
    }

    /**
     * Starts a message if it fits the receive; checks only the scatter entries that the message reaches.
     *
     * @param entry  entry of the peer's queue pair.
     * @param slot   slot of the receive.
     * @param length length of the message.
     * @return {@link #FITS}, {@link #TOO_LONG} or {@link #FORBIDDEN}.
     */
    int begin(final long entry, final long slot, final long length)
    {
        final int domain = UnsafeApi.getInt(entry + QueuePairEntry.RECEIVE_DOMAIN_OFFSET);
        final int count = (int)SegmentBounds.count(
            UnsafeApi.getInt(slot + QueuePairEntry.RECEIVE_NUM_SGE_OFFSET), QueueLimits.MAX_SGE,
            "the number of entries of a receive");
        target = slot + QueuePairEntry.RECEIVE_SGE_OFFSET;
        end = SegmentBounds.address(control, target - control, (long)count * ScatterGatherEntry.SIZE,
            "the offset of a receive") + (long)count * ScatterGatherEntry.SIZE;
        done = 0;
        boolean isCovered = true;
        long held = 0;
        for (int i = 0; i < count && held < length; i++)
        {
            final long sge = SgeList.entry(target, i);
            final long bytes = SgeList.length(sge);
            isCovered &= bytes == 0 || SgeList.isCovered(control, domain, sge, AccessFlags.LOCAL_WRITE, bytes);
            held += bytes;
        }
        return held < length ? TOO_LONG : isCovered ? FITS : FORBIDDEN;
    }

    /**
     * Writes the next bytes.
     *
     * @param source source in this process; 0 leaves the target unchanged.
     * @param length length in bytes.
     * @return 0, or an errno.
     */
    int put(final long source, final long length)
    {
        long put = 0;
        while (put < length)
        {
            if (target == end)
            {
                // The lengths have changed since they were summed.
                return Errno.EIO;
            }
            final long left = SgeList.length(target) - done;
            final long bytes = Math.min(left, length - put);
            if (bytes > 0 && source != 0)
            {
                // The key may have changed since it was looked up; a negative key has no entry.
                final int key =
                    (int)SegmentBounds.count(SgeList.key(target), Integer.MAX_VALUE, "the key of a receive");
                final PeerRegion region = memory.region(key, ControlLayout.region(control, RegionEntry.index(key)));
                final int errno = memory.copy(true, source + put, SgeList.address(target) + done, region, bytes);
                if (errno != 0)
                {
                    return errno;
                }
            }
            put += bytes;
            done += bytes;
            if (bytes == left)
            {
                target += ScatterGatherEntry.SIZE;
                done = 0;
            }
        }
        return 0;
    }
}
