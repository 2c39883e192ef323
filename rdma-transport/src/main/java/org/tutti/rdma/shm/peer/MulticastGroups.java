/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.FileCalls;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.SegmentBounds;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The members of multicast groups: a file in the directory, {@code groups}, that all contexts map. Writers hold the
 * directory's lock, which the kernel releases when a process dies; readers take no lock.
 * <pre>
 *  offset  bytes  what
 *       0      4  version of {@link ControlLayout}
 *       4      4  number of entries whose pages are reserved
 *      64     32  each entry:
 *                   0  8  the group's GID, first half
 *                   8  8  the group's GID, last half
 *                  16  8  member: low half its queue pair number, high half the token of its context; 0 when free
 *                  24  4  sequence: odd while a writer changes the entry, and after a writer was killed doing so
 * </pre>
 * One instance per directory and process.
 */
public final class MulticastGroups implements AutoCloseable
{
    public static final int MAX_MEMBERS = 1 << 16;

    private static final String FILE = "groups";
    private static final int VERSION_OFFSET = 0;
    private static final int LIMIT_OFFSET = 4;
    private static final int HEADER_SIZE = 64;
    private static final int ENTRY_SIZE = 32;
    private static final int MEMBER_OFFSET = 16;
    private static final int SEQUENCE_OFFSET = 24;
    private static final int PER_GROWTH = 4096 / ENTRY_SIZE;
    private static final long LENGTH = HEADER_SIZE + (long)MAX_MEMBERS * ENTRY_SIZE;

    private final Fabric fabric;
    private final SharedFile file;
    private final long address;

    private MulticastGroups(final Fabric fabric, final SharedFile file)
    {
        this.fabric = fabric;
        this.file = file;
        address = file.address();
    }

    static Path path(final Path directory)
    {
        return directory.resolve(FILE);
    }

    /**
     * Opens or creates the file; the caller holds the directory's lock.
     *
     * @param fabric fabric of the directory.
     * @param verb   verb named in errors.
     * @return the groups, owned by the caller.
     */
    static MulticastGroups open(final Fabric fabric, final String verb)
    {
        final Path path = path(fabric.directory());
        final boolean isThere = Files.exists(path);
        final SharedFile file = isThere ? SharedFile.open(path) : SharedFile.create(path, LENGTH, HEADER_SIZE, verb);
        if (file == null || file.length() != LENGTH)
        {
            if (file != null)
            {
                file.close();
            }
            throw new RdmaException(Errno.ENODEV, verb, "cannot use " + path +
                ", which has another version or is not readable; end the job's processes and remove it");
        }
        if (isThere && UnsafeApi.getInt(file.address() + VERSION_OFFSET) != ControlLayout.VERSION)
        {
            final int version = UnsafeApi.getInt(file.address() + VERSION_OFFSET);
            // Version 0: the file's creator may have been killed before it wrote anything.
            if (version != 0)
            {
                file.close();
                throw new RdmaException(Errno.ENODEV, verb, path + " has version " + version + ", not " +
                    ControlLayout.VERSION + "; use one version of this library in all processes of a job");
            }
        }
        UnsafeApi.putIntVolatile(null, file.address() + VERSION_OFFSET, ControlLayout.VERSION);
        return new MulticastGroups(fabric, file);
    }

    /**
     * The number of entries to search.
     *
     * @return number of entries; all entries from this index on are free.
     */
    public int limit()
    {
        return (int)SegmentBounds.count(UnsafeApi.getIntVolatile(null, address + LIMIT_OFFSET), MAX_MEMBERS,
            "the number of members of groups");
    }

    /**
     * The member in an entry.
     *
     * @param index   index of the entry, below {@link #limit}.
     * @param gidHigh high half of the group's GID.
     * @param gidLow  low half of the group's GID.
     * @return the member as in the layout of an entry, or 0 if the entry is free or of another group.
     */
    public long member(final int index, final long gidHigh, final long gidLow)
    {
        final long entry = entry(index);
        final int sequence = UnsafeApi.getIntVolatile(null, entry + SEQUENCE_OFFSET);
        final long member = UnsafeApi.getLongVolatile(null, entry + MEMBER_OFFSET);
        final boolean isOfGroup = UnsafeApi.getLongVolatile(null, entry) == gidHigh &&
            UnsafeApi.getLongVolatile(null, entry + Long.BYTES) == gidLow;
        return isOfGroup && (sequence & 1) == 0 &&
            UnsafeApi.getIntVolatile(null, entry + SEQUENCE_OFFSET) == sequence ? member : 0;
    }

    public static int token(final long member)
    {
        return (int)(member >>> 32);
    }

    public static int qpNum(final long member)
    {
        return (int)member;
    }

    /**
     * Adds a member, which receives the group's datagrams once this returns.
     *
     * @param peers peers of the queue pair's context.
     * @param group GID of the group.
     * @param qpNum number of the queue pair to add, not yet a member.
     */
    public synchronized void attach(final Peers peers, final Gid group, final int qpNum)
    {
        final String verb = "ibv_attach_mcast";
        final int lock = fabric.lockDirectory(verb);
        try
        {
            removeDead(peers);
            int index = 0;
            while (index < limit() && isUsed(index))
            {
                index++;
            }
            if (index == limit())
            {
                grow(verb);
            }
            write(index, group, member(peers, qpNum));
        }
        finally
        {
            FileCalls.close(lock);
        }
    }

    /**
     * Removes a member, which receives no datagram sent after this returns.
     *
     * @param peers peers of the queue pair's context.
     * @param group GID of the group.
     * @param qpNum number of the queue pair.
     */
    public synchronized void detach(final Peers peers, final Gid group, final int qpNum)
    {
        final int lock = fabric.lockDirectory("ibv_detach_mcast");
        try
        {
            for (int index = 0; index < limit(); index++)
            {
                if (member(index, group.high(), group.low()) == member(peers, qpNum))
                {
                    write(index, Gid.ZERO, 0);
                }
            }
        }
        finally
        {
            FileCalls.close(lock);
        }
    }

    private void removeDead(final Peers peers)
    {
        final Set<Integer> dead = new HashSet<>();
        final Set<Integer> living = new HashSet<>();
        for (int index = 0; index < limit(); index++)
        {
            final int token = token(UnsafeApi.getLong(entry(index) + MEMBER_OFFSET));
            if (token != 0 && !dead.contains(token) && !living.contains(token))
            {
                (peers.isDead(token) ? dead : living).add(token);
            }
            if (dead.contains(token))
            {
                write(index, Gid.ZERO, 0);
            }
        }
    }

    private boolean isUsed(final int index)
    {
        return UnsafeApi.getLong(entry(index) + MEMBER_OFFSET) != 0;
    }

    private void grow(final String verb)
    {
        final int limit = limit();
        if (limit == MAX_MEMBERS)
        {
            throw new RdmaException(Errno.ENOMEM, verb, MAX_MEMBERS +
                " memberships of groups exist, the maximum of a directory; detach some queue pairs");
        }
        file.reserve(entry(limit) - address, (long)PER_GROWTH * ENTRY_SIZE, verb);
        UnsafeApi.putIntVolatile(null, address + LIMIT_OFFSET, limit + PER_GROWTH);
    }

    private void write(final int index, final Gid group, final long member)
    {
        final long entry = entry(index);
        final int sequence = UnsafeApi.getInt(entry + SEQUENCE_OFFSET) | 1;
        UnsafeApi.putIntVolatile(null, entry + SEQUENCE_OFFSET, sequence);
        UnsafeApi.putLongVolatile(null, entry, group.high());
        UnsafeApi.putLongVolatile(null, entry + Long.BYTES, group.low());
        UnsafeApi.putLongVolatile(null, entry + MEMBER_OFFSET, member);
        UnsafeApi.putIntVolatile(null, entry + SEQUENCE_OFFSET, sequence + 1);
    }

    private static long member(final Peers peers, final int qpNum)
    {
        return (long)peers.token() << 32 | qpNum;
    }

    private long entry(final int index)
    {
        return address + HEADER_SIZE + (long)index * ENTRY_SIZE;
    }

    @Override
    public void close()
    {
        file.close();
    }
}
