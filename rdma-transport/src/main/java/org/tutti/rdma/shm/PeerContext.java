/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Another context (or this one, seen from outside) that queue pairs are connected to: its mapped control segment, and
 * the mappings of its memory, made when first needed and kept until the last queue pair lets go. Thread-safe.
 */
final class PeerContext
{
    /** In place of a delta: the memory is private to another process. */
    static final long PRIVATE = Long.MIN_VALUE;
    /** In place of a delta: the memory could not be mapped. */
    static final long UNMAPPED = Long.MIN_VALUE + 1;

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
        isSameProcess = UnsafeApi.getLong(control + ControlLayout.PROCESS_OFFSET) == Fabric.PROCESS;
        isSameNamespace =
            UnsafeApi.getLong(control + ControlLayout.PID_NAMESPACE_OFFSET) == Fabric.PID_NAMESPACE;
    }

    /**
     * Maps a context.
     *
     * @param fabric that both are in.
     * @param index  of the context.
     * @return null when there is none now.
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

    long control()
    {
        return control;
    }

    int token()
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
     * Whether nothing can come from it any more.
     *
     * @return true once its process ended or it was closed.
     */
    boolean isGone()
    {
        return isDead || UnsafeApi.getInt(control + ControlLayout.CLOSED_OFFSET) != 0;
    }

    /**
     * Asks the kernel whether its process lives.
     *
     * @return true when it was found dead, now or before.
     */
    synchronized boolean checkDead()
    {
        if (!isDead && (!file.isOwnerAlive() || Native.isReadable(processDescriptor)))
        {
            isDead = true;
        }
        return isDead;
    }

    /**
     * How to reach a region of the peer.
     *
     * @param entry of the region; the caller holds the guard of one of the peer's queue pairs.
     * @return what to add to the peer's addresses to get this process's, or {@link #PRIVATE} or {@link #UNMAPPED}.
     */
    synchronized long delta(final long entry)
    {
        if (isSameProcess)
        {
            return 0;
        }
        final int memoryToken = UnsafeApi.getInt(entry + RegionEntry.MEMORY_TOKEN_OFFSET);
        if (memoryToken == 0)
        {
            return isSameNamespace ? PRIVATE : UNMAPPED;
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
                return UNMAPPED;
            }
            memory.closeDescriptor();
            memories.put(key, memory);
        }
        return memory.address() + UnsafeApi.getLong(entry + RegionEntry.MEMORY_OFFSET_OFFSET) -
            UnsafeApi.getLong(entry + RegionEntry.ADDRESS_OFFSET);
    }

    /**
     * How this process can load and store a region, from now until the last queue pair lets go.
     *
     * @param entry of the region, as {@link #delta} wants it.
     * @return what {@link #delta} says.
     */
    synchronized long pinnedDelta(final long entry)
    {
        final long delta = delta(entry);
        if (!isSameProcess && delta != PRIVATE && delta != UNMAPPED)
        {
            pinned.add(memoryKey(entry));
        }
        return delta;
    }

    /**
     * Unmaps memory that the peer has freed. Nobody executes on it any more, as its regions were closed before; only an
     * address that was given to the user stays good.
     */
    private void unmapFreed()
    {
        memories.entrySet().removeIf(entry ->
        {
            final boolean isFreed = !pinned.contains(entry.getKey()) && !entry.getValue().exists();
            if (isFreed)
            {
                entry.getValue().close();
            }
            return isFreed;
        });
    }

    private static long memoryKey(final long entry)
    {
        return (long)UnsafeApi.getInt(entry + RegionEntry.MEMORY_TOKEN_OFFSET) << 32 |
            UnsafeApi.getInt(entry + RegionEntry.MEMORY_NUMBER_OFFSET);
    }

    /** One more queue pair is connected to it; called with the owner's lock held. */
    void retain()
    {
        users++;
    }

    boolean isLastUser()
    {
        return users == 1;
    }

    /**
     * One queue pair less; called with the owner's lock held.
     *
     * @return true when it was the last, and everything is unmapped.
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
            Native.close(processDescriptor);
            processDescriptor = -1;
        }
    }

    /** Gets a descriptor that is readable once the process ended, if the kernel gives one. */
    synchronized void openProcess()
    {
        processDescriptor = isSameNamespace ? Native.openProcess(pid) : -1;
    }

    synchronized int processDescriptor()
    {
        return processDescriptor;
    }
}
