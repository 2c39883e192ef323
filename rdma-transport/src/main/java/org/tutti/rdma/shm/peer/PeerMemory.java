/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.os.ProcessCalls;
import org.tutti.rdma.soft.segment.RegionEntry;

/**
 * Accesses the memory of a queue pair's peer: by loads and stores if it is mapped, through the kernel if it is private
 * to another process. Caches the most recent regions. Guarded by the queue pair's posting lock.
 */
public final class PeerMemory
{
    private static final int CACHE_SIZE = 16;

    private final PeerContext peer;
    private final int[] serials = new int[CACHE_SIZE];
    private final PeerRegion[] regions = new PeerRegion[CACHE_SIZE];

    public PeerMemory(final PeerContext peer)
    {
        this.peer = peer;
    }

    /**
     * The bounds and local mapping of a region.
     *
     * @param key   valid key of the region: the caller looked it up and holds the guard of the peer.
     * @param entry entry of the region.
     * @return bounds, and offset of the mapping in this process, as from {@link PeerContext#region}.
     */
    public PeerRegion region(final int key, final long entry)
    {
        final int index = RegionEntry.index(key) & (CACHE_SIZE - 1);
        // A key may be reused for another region; a serial number is not.
        final int serial = UnsafeApi.getInt(entry + RegionEntry.SERIAL_OFFSET);
        final PeerRegion known = regions[index];
        if (known != null && serials[index] == serial)
        {
            return known;
        }
        final PeerRegion region = peer.region(entry);
        if (region.delta() != PeerRegion.UNMAPPED)
        {
            serials[index] = serial;
            regions[index] = region;
        }
        return region;
    }

    /**
     * Copies between this process and the peer.
     *
     * @param isWrite       true to copy to the peer.
     * @param localAddress  address in this process.
     * @param remoteAddress address in the peer.
     * @param region        result of {@link #region}.
     * @param length        length in bytes.
     * @return 0, or an errno.
     */
    public int copy(
        final boolean isWrite, final long localAddress, final long remoteAddress, final PeerRegion region,
        final long length)
    {
        final long delta = region.delta();
        if (!region.isMapped())
        {
            return copyUnmapped(isWrite, localAddress, remoteAddress, delta, length);
        }
        if (!region.covers(remoteAddress, length))
        {
            return Errno.EIO;
        }
        if (isWrite)
        {
            Copier.copy(localAddress, remoteAddress + delta, length);
        }
        else
        {
            Copier.copy(remoteAddress + delta, localAddress, length);
        }
        return 0;
    }

    private int copyUnmapped(
        final boolean isWrite, final long localAddress, final long remoteAddress, final long delta, final long length)
    {
        if (delta != PeerRegion.PRIVATE)
        {
            return delta == PeerRegion.FOREIGN ? Errno.EOPNOTSUPP : Errno.ENOMEM;
        }
        long done = 0;
        while (done < length)
        {
            final long copied =
                ProcessCalls.copyProcess(isWrite, peer.pid(), localAddress + done, remoteAddress + done, length - done);
            if (copied <= 0)
            {
                return copied == 0 ? Errno.EFAULT : (int)-copied;
            }
            done += copied;
        }
        return 0;
    }
}
