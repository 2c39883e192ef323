/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.FileCalls;
import org.tutti.rdma.os.ProcessCalls;
import org.tutti.rdma.soft.segment.ControlLayout;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The directory through which contexts find each other. In it, {@code ctx-INDEX} is a context's control segment and
 * {@code mem-TOKEN-NUMBER} its memory; {@code groups} contains the {@link MulticastGroups}; {@link FabricLock}
 * serializes claims of an index and changes of groups. Tokens and incarnations are defined by {@link ControlLayout}. A
 * control segment stays locked ({@code flock}) while its owner is alive; the next claim removes the files of dead
 * owners. One instance per directory and process, from the first open to the last close. Thread-safe.
 */
public final class Fabric
{
    /** The system property that names the directory. */
    public static final String DIRECTORY_PROP_NAME = "tutti.shm.dir";
    /** The environment variable that names the directory if the system property does not. */
    public static final String DIRECTORY_ENV_NAME = "TUTTI_SHM_DIR";

    private static final String CONTEXT_PREFIX = "ctx-";
    private static final String MEMORY_PREFIX = "mem-";
    private static final String VERB = "ibv_open_device";
    /** The permission bits of group and others in a file's mode. */
    private static final int OTHERS = 077;
    private static final Map<Path, Fabric> OPEN = new HashMap<>();

    private final Path directory;
    private final FabricLock lock;
    private final long id;
    private final boolean isOwned;
    private final int ownLock;
    private final Set<Path> files = ConcurrentHashMap.newKeySet();
    private final NavigableMap<Long, SharedMemory> memories = new ConcurrentSkipListMap<>();
    private final Thread shutdownHook = new Thread(this::removeFiles, "tutti-shm-cleanup");
    private MulticastGroups groups;
    private int users;

    private Fabric(final Path directory, final boolean isOwned)
    {
        this.directory = directory;
        this.isOwned = isOwned;
        check(directory);
        lock = new FabricLock(directory);
        id = lock.readId(VERB);
        ownLock = isOwned ? StaleDirectories.lockOwn() : -1;
    }

    /**
     * Checks that only this user can create files in a directory, because their contents are trusted.
     *
     * @param directory directory to check.
     */
    private static void check(final Path directory)
    {
        final Map<String, Object> attributes;
        try
        {
            attributes = Files.readAttributes(directory, "unix:uid,mode,isDirectory");
        }
        catch (final IOException e)
        {
            throw unusable(directory, "which cannot be read: " + e + "; name a directory in /dev/shm");
        }
        if (!(boolean)attributes.get("isDirectory") || !Files.isWritable(directory))
        {
            throw unusable(directory, "which is not a directory writable by this user; name one in /dev/shm");
        }
        final int owner = (int)attributes.get("uid");
        if (owner != ProcessCalls.userId())
        {
            throw unusable(directory,
                "which belongs to user " + owner + ", not to user " + ProcessCalls.userId() + "; name " +
                "one of this user");
        }
        final int mode = (int)attributes.get("mode") & 0777;
        if ((mode & OTHERS) != 0)
        {
            throw unusable(directory, "whose mode is " + Integer.toOctalString(mode) + " but must be 700: " +
                "chmod 700 " + directory);
        }
    }

    private static RdmaException unusable(final Path directory, final String reason)
    {
        return new RdmaException(Errno.ENODEV, VERB, "the directory of shm (" + DIRECTORY_PROP_NAME +
            ", else " + DIRECTORY_ENV_NAME + ") is '" + directory + "', " + reason);
    }

    /**
     * Joins a directory; call {@link #leave} once for each join.
     *
     * @param directory existing directory of the job, or null for a private one of this process.
     * @return the instance of this process for the directory.
     */
    public static Fabric join(final Path directory)
    {
        synchronized (OPEN)
        {
            final Path path = directory == null ? StaleDirectories.OWN : directory.toAbsolutePath().normalize();
            Fabric fabric = OPEN.get(path);
            if (fabric == null)
            {
                StaleDirectories.remove(StaleDirectories.BASE);
                if (directory == null)
                {
                    makeDirectory(path);
                }
                fabric = new Fabric(path, directory == null);
                OPEN.put(path, fabric);
                Runtime.getRuntime().addShutdownHook(fabric.shutdownHook);
            }
            fabric.users++;
            return fabric;
        }
    }

    /**
     * Identifies the directory.
     *
     * @return a number of 48 bits, not 0, the same in all processes that use the directory.
     */
    public long id()
    {
        return id;
    }

    Path directory()
    {
        return directory;
    }

    /** Leaves the directory, once for each join; the last call of a process removes the process's own files. */
    public void leave()
    {
        synchronized (OPEN)
        {
            if (--users == 0)
            {
                OPEN.remove(directory);
                closeGroups();
                removeFiles();
                if (ownLock >= 0)
                {
                    FileCalls.close(ownLock);
                }
                try
                {
                    Runtime.getRuntime().removeShutdownHook(shutdownHook);
                }
                catch (final IllegalStateException ignored)
                {
                    // The process is exiting: the hook runs and finds nothing to do.
                }
            }
        }
    }

    /**
     * Claims the lowest free context index.
     *
     * @param reserved number of bytes of the control segment to reserve now.
     * @return the control segment, whose header so far holds only the token.
     */
    public SharedFile claim(final long reserved)
    {
        final int held = lock.acquire(VERB);
        try
        {
            final int incarnation = lock.nextIncarnation(held, VERB);
            removeDead();
            for (int index = 0; index < ControlLayout.MAX_CONTEXTS; index++)
            {
                final Path path = contextPath(index);
                if (!Files.exists(path))
                {
                    final SharedFile file = SharedFile.create(path, ControlLayout.LENGTH, reserved, VERB);
                    files.add(path);
                    UnsafeApi.putInt(
                        file.address() + ControlLayout.TOKEN_OFFSET, ControlLayout.token(index, incarnation));
                    return file;
                }
            }
        }
        finally
        {
            FileCalls.close(held);
        }
        throw new RdmaException(Errno.ENOMEM, VERB, ControlLayout.MAX_CONTEXTS +
            " contexts are open in " + directory + ", the maximum; close some");
    }

    Path contextPath(final int index)
    {
        return directory.resolve(CONTEXT_PREFIX + index);
    }

    /**
     * The path of a context's memory.
     *
     * @param token  token of the context.
     * @param number number of the memory.
     * @return path of the file, which need not exist.
     */
    public Path memoryPath(final int token, final int number)
    {
        return directory.resolve(MEMORY_PREFIX + Integer.toHexString(token) + "-" + number);
    }

    void add(final SharedMemory memory, final Path path)
    {
        files.add(path);
        memories.put(memory.address(), memory);
    }

    void remove(final SharedMemory memory, final Path path)
    {
        files.remove(path);
        memories.remove(memory.address());
    }

    /**
     * Removes the file name of a context's control segment before the segment is closed; the segment exists as long as
     * a process maps it.
     *
     * @param index index of the context.
     */
    public void release(final int index)
    {
        deleteOnce(contextPath(index));
    }

    /**
     * Deletes a file of this process, but only on the first call, while this process holds the file's lock: later, the
     * name may belong to a successor.
     */
    private synchronized void deleteOnce(final Path path)
    {
        if (files.remove(path))
        {
            SharedFile.delete(path);
        }
    }

    /**
     * The shared memory of this process that covers a range.
     *
     * @param address address of the first byte.
     * @param length  length in bytes.
     * @return the memory, or null if none covers the whole range.
     */
    public SharedMemory memoryAt(final long address, final long length)
    {
        final Map.Entry<Long, SharedMemory> entry = memories.floorEntry(address);
        return entry != null && address - entry.getKey() <= entry.getValue().length() - length ?
            entry.getValue() : null;
    }

    /** Removes files of dead owners, because a dead rank's memory can be most of the host's. */
    private void removeDead()
    {
        for (final Path path : list(CONTEXT_PREFIX))
        {
            final int index = parse(path.getFileName().toString().substring(CONTEXT_PREFIX.length()), 10);
            if (index >= 0)
            {
                reclaim(index);
            }
        }
    }

    private List<Path> list(final String prefix)
    {
        final List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory, prefix + "*"))
        {
            paths.forEach(found::add);
        }
        catch (final IOException | DirectoryIteratorException ignored)
        {
            // Files that are missing from the list are left for the next claim; nothing else depends on the list.
        }
        return found;
    }

    /** Parses a number in a file's name; -1 for foreign files, which are left alone. */
    private static int parse(final String text, final int radix)
    {
        try
        {
            return Integer.parseInt(text, radix);
        }
        catch (final NumberFormatException ignored)
        {
            return -1;
        }
    }

    private void reclaim(final int index)
    {
        final Path path = contextPath(index);
        final int fd = FileCalls.open(path.toString(), FileCalls.O_RDWR);
        if (fd < 0)
        {
            return;
        }
        try
        {
            if (!FileCalls.isLocked(fd))
            {
                // The context's file is removed last: if this process is killed in between, the next claim continues.
                removeMemoryOf(index);
                SharedFile.delete(path);
            }
        }
        finally
        {
            FileCalls.close(fd);
        }
    }

    private void removeMemoryOf(final int index)
    {
        for (final Path path : list(MEMORY_PREFIX))
        {
            final int token = parse(path.getFileName().toString().split("-", -1)[1], 16);
            if (token >= 0 && ControlLayout.index(token) == index)
            {
                SharedFile.delete(path);
            }
        }
    }

    /**
     * Locks the directory against all processes and threads until the descriptor is closed.
     *
     * @param verb verb named in errors.
     * @return the descriptor.
     */
    int lockDirectory(final String verb)
    {
        return lock.acquire(verb);
    }

    /**
     * The members of multicast groups.
     *
     * @param verb verb named in errors.
     * @return the instance of this process, open until the process's last context in the directory is closed.
     */
    public synchronized MulticastGroups groups(final String verb)
    {
        if (groups == null)
        {
            final int held = lock.acquire(verb);
            try
            {
                groups = MulticastGroups.open(this, verb);
            }
            finally
            {
                FileCalls.close(held);
            }
        }
        return groups;
    }

    private synchronized void closeGroups()
    {
        if (groups != null)
        {
            groups.close();
            groups = null;
        }
    }

    /** Removes the files of this process, for a process that is about to exit, which may take a while. */
    public void removeFiles()
    {
        files.forEach(this::deleteOnce);
        if (isOwned)
        {
            SharedFile.delete(MulticastGroups.path(directory));
            lock.delete();
            SharedFile.delete(directory);
        }
    }

    /**
     * Hashes a name by FNV-1a, with the same result in all processes.
     *
     * @param name text of any length.
     * @return 64 bits.
     */
    public static long hash(final String name)
    {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < name.length(); i++)
        {
            hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }

    private static void makeDirectory(final Path path)
    {
        try
        {
            Files.createDirectory(path,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        catch (final FileAlreadyExistsException ignored)
        {
            // The name is unique to this process: the directory is left over from an earlier use.
        }
        catch (final IOException e)
        {
            throw new RdmaException(Errno.ENODEV, VERB, "cannot make " + path + ": " + e +
                "; set TUTTI_SHM_DIR to a directory on a tmpfs");
        }
    }
}
