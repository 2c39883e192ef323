/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.os.FileCalls;
import org.tutti.rdma.os.PollCalls;
import org.tutti.rdma.os.ProcessCalls;
import org.tutti.rdma.os.ThisProcess;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.RegionEntry;
import org.tutti.rdma.soft.segment.SegmentBounds;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A context that queue pairs are connected to, possibly their own: its mapped control segment, and the mappings of its
 * memory, each created on first use. Everything is unmapped when the last queue pair disconnects. Thread-safe.
 */
public final class PeerContext
{
    private final Fabric fabric;
    private final SharedFile file;
    private final long control;
    private final int token;
    private final int pid;
    private final boolean isSameProcess;
    private final boolean isSameNamespace;
    private final Map<Long, SharedFile> memories = new HashMap<>();
    private final Set<Long> pinned = new HashSet<>();
    private volatile boolean isDead;
    private int users;
    private int processDescriptor = -1;

    private PeerContext(final Fabric fabric, final SharedFile file)
    {
        this.fabric = fabric;
        this.file = file;
        control = file.address();
        token = UnsafeApi.getInt(control + ControlLayout.TOKEN_OFFSET);
        pid = (int)UnsafeApi.getLong(control + ControlLayout.PID_OFFSET);
        isSameProcess = UnsafeApi.getLong(control + ControlLayout.PROCESS_OFFSET) == ThisProcess.ID;
        isSameNamespace =
            UnsafeApi.getLong(control + ControlLayout.PID_NAMESPACE_OFFSET) == ThisProcess.PID_NAMESPACE;
    }

    /**
     * Maps a context.
     *
     * @param fabric fabric of the context.
     * @param index  index of the context.
     * @return the context, or null if there is none now.
     */
    static PeerContext open(final Fabric fabric, final int index)
    {
        final SharedFile file = SharedFile.open(fabric.contextPath(index));
        if (file == null)
        {
            return null;
        }
        final boolean isReady = file.length() == ControlLayout.LENGTH &&
            file.isOwnerAlive() &&
            UnsafeApi.getLongVolatile(null, file.address()) == ControlLayout.MAGIC &&
            UnsafeApi.getInt(file.address() + ControlLayout.VERSION_OFFSET) == ControlLayout.VERSION;
        if (!isReady)
        {
            file.close();
            return null;
        }
        return new PeerContext(fabric, file);
    }

    /**
     * Whether a context that is not mapped in this process was closed or its process exited.
     *
     * @param fabric fabric of the context.
     * @param token  token of the context.
     * @return true if the context is certainly gone; false also if this cannot be determined, for example because no
     *     descriptor is free.
     */
    static boolean isDead(final Fabric fabric, final int token)
    {
        final int fd = FileCalls.open(fabric.contextPath(ControlLayout.index(token)).toString(), FileCalls.O_RDWR);
        if (fd < 0)
        {
            return fd == -Errno.ENOENT;
        }
        try
        {
            // A successor gets the index only after its predecessor is gone.
            final int owner = FileCalls.readInt(fd, ControlLayout.TOKEN_OFFSET);
            return !FileCalls.isLocked(fd) || (owner > 0 && owner != token);
        }
        finally
        {
            FileCalls.close(fd);
        }
    }

    public long control()
    {
        return control;
    }

    public int token()
    {
        return token;
    }

    int pid()
    {
        return pid;
    }

    boolean isSameProcess()
    {
        return isSameProcess;
    }

    /**
     * Whether the context is gone.
     *
     * @return true once it was closed or its process exited.
     */
    public boolean isGone()
    {
        return isDead || UnsafeApi.getInt(control + ControlLayout.CLOSED_OFFSET) != 0;
    }

    /**
     * Asks the kernel whether the context's process is alive.
     *
     * @return true if the process was found dead, now or earlier.
     */
    public synchronized boolean checkDead()
    {
        if (!isDead && (!file.isOwnerAlive() || (processDescriptor >= 0 && PollCalls.isReadable(processDescriptor))))
        {
            isDead = true;
        }
        return isDead;
    }

    /**
     * The bounds and local mapping of a region of the peer.
     *
     * @param entry entry of the region; the caller holds the guard of one of the peer's queue pairs.
     * @return bounds, and offset of the mapping in this process.
     */
    synchronized PeerRegion region(final long entry)
    {
        return isSameProcess ? new PeerRegion(0, UnsafeApi.getLong(entry + RegionEntry.ADDRESS_OFFSET),
            UnsafeApi.getLong(entry + RegionEntry.LENGTH_OFFSET)) : mappedRegion(entry);
    }

    private PeerRegion mappedRegion(final long entry)
    {
        final long address = UnsafeApi.getLong(entry + RegionEntry.ADDRESS_OFFSET);
        final long length = UnsafeApi.getLong(entry + RegionEntry.LENGTH_OFFSET);
        final int memoryToken = UnsafeApi.getInt(entry + RegionEntry.MEMORY_TOKEN_OFFSET);
        if (memoryToken == 0)
        {
            return new PeerRegion(isSameNamespace ? PeerRegion.PRIVATE : PeerRegion.FOREIGN, address, length);
        }
        final int number = UnsafeApi.getInt(entry + RegionEntry.MEMORY_NUMBER_OFFSET);
        final long key = memoryKey(entry);
        SharedFile memory = memories.get(key);
        if (memory == null)
        {
            unmapFreed();
            memory = SharedFile.open(fabric.memoryPath(memoryToken, number));
            if (memory == null)
            {
                return new PeerRegion(PeerRegion.UNMAPPED, address, length);
            }
            memory.closeDescriptor();
            memory.populateIfLong();
            memories.put(key, memory);
        }
        final long offset = SegmentBounds.count(UnsafeApi.getLong(entry + RegionEntry.MEMORY_OFFSET_OFFSET),
            memory.length(), "the offset of a region in its memory");
        SegmentBounds.count(length, memory.length() - offset, "the length of a region");
        return new PeerRegion(memory.address() + offset - address, address, length);
    }

    /**
     * As {@link #region}, with a mapping for loads and stores that lasts until the last queue pair disconnects.
     *
     * @param entry entry of the region, as for {@link #region}.
     * @return bounds, and offset of the mapping in this process.
     */
    public synchronized PeerRegion pinnedRegion(final long entry)
    {
        final boolean isShared = UnsafeApi.getInt(entry + RegionEntry.MEMORY_TOKEN_OFFSET) != 0;
        // Mapped a second time even within one process: the peer may unmap its own mapping at any time.
        final PeerRegion region = isShared ? mappedRegion(entry) : region(entry);
        if (isShared && region.isMapped())
        {
            pinned.add(memoryKey(entry));
        }
        return region;
    }

    /** Unmaps memory that the peer has freed, except memory whose address was given to the user. */
    private void unmapFreed()
    {
        memories.entrySet().removeIf(entry ->
        {
            final boolean isFreed = !pinned.contains(entry.getKey()) && isFreed(entry.getKey(), entry.getValue());
            if (isFreed)
            {
                entry.getValue().close();
            }
            return isFreed;
        });
    }

    /**
     * Whether no thread executes on a memory any more. Before a live owner removes the file's name, it closes all
     * regions of the memory and waits for the threads that execute on them. An owner that died or is exiting does not:
     * other threads of this process may still be copying then.
     */
    private boolean isFreed(final long key, final SharedFile memory)
    {
        return !memory.exists() && !isRegistered(key) && !checkDead();
    }

    private boolean isRegistered(final long key)
    {
        final long limit = SegmentBounds.count(
            UnsafeApi.getIntVolatile(null, control + ControlLayout.REGION_LIMIT_OFFSET), ControlLayout.MAX_REGIONS,
            "the number of regions");
        for (int i = 0; i < limit; i++)
        {
            final long entry = ControlLayout.region(control, i);
            if (UnsafeApi.getIntAcquire(null, entry) != 0 && memoryKey(entry) == key)
            {
                return true;
            }
        }
        return false;
    }

    private static long memoryKey(final long entry)
    {
        return (long)UnsafeApi.getInt(entry + RegionEntry.MEMORY_TOKEN_OFFSET) << 32 |
            UnsafeApi.getInt(entry + RegionEntry.MEMORY_NUMBER_OFFSET);
    }

    /** Counts a connected queue pair; called with the lock of {@link Peers} held. */
    void retain()
    {
        users++;
    }

    boolean isLastUser()
    {
        return users == 1;
    }

    /**
     * Counts a disconnected queue pair; called with the lock of {@link Peers} held.
     *
     * @return true if it was the last, and everything is unmapped.
     */
    boolean release()
    {
        if (--users > 0)
        {
            return false;
        }
        unmap();
        return true;
    }

    synchronized void unmap()
    {
        memories.values().forEach(SharedFile::close);
        memories.clear();
        file.close();
        if (processDescriptor >= 0)
        {
            FileCalls.close(processDescriptor);
            processDescriptor = -1;
        }
    }

    /** Opens a pidfd, which is readable once the process exited, if the kernel permits it. */
    synchronized void openProcess()
    {
        processDescriptor = isSameNamespace ? ProcessCalls.openProcess(pid) : -1;
    }

    synchronized int processDescriptor()
    {
        return processDescriptor;
    }
}
