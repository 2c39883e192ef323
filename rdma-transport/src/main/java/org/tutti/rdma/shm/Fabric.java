/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The directory through which contexts find each other: {@code ctx-INDEX} is a context's control segment,
 * {@code mem-TOKEN-NUMBER} its memory, {@code lock} orders those who claim an index and holds the last incarnation.
 * A control segment stays locked ({@code flock}) while its owner lives; the files of dead owners are removed by whoever
 * claims next. One instance per directory and process, from the first open to the last close. Thread-safe.
 */
final class Fabric
{
    /** Tells this process from all others, also from those with the same number in another namespace. */
    static final long PROCESS = ThreadLocalRandom.current().nextLong() | 1;

    /** The inode of this process's namespace of process numbers; 0 where the kernel does not tell. */
    static final long PID_NAMESPACE = pidNamespace();

    private static final String CONTEXT_PREFIX = "ctx-";
    private static final String MEMORY_PREFIX = "mem-";
    private static final String VERB = "ibv_open_device";
    private static final long LOCK_DEADLINE_NS = 10_000_000_000L;
    private static final long LOCK_PAUSE_NS = 50_000L;
    private static final int ID_BITS = 48;
    private static final Map<Path, Fabric> OPEN = new HashMap<>();

    private final Path directory;
    private final long id;
    private final boolean isOwned;
    private final Set<Path> files = ConcurrentHashMap.newKeySet();
    private final NavigableMap<Long, ShmDeviceMemory> memories = new ConcurrentSkipListMap<>();
    private final Thread shutdownHook = new Thread(this::removeFiles, "tutti-shm-cleanup");
    private int users;

    private Fabric(final Path directory, final boolean isOwned)
    {
        this.directory = directory;
        this.isOwned = isOwned;
        id = identify(directory);
    }

    /** From what tells the directory from all others of this host, by whatever name a process knows it. */
    private static long identify(final Path directory)
    {
        try
        {
            final Map<String, Object> attributes = Files.readAttributes(directory, "unix:dev,ino");
            return ShmDevice.hash(attributes.get("dev") + "/" + attributes.get("ino")) >>> (Long.SIZE - ID_BITS);
        }
        catch (final IOException e)
        {
            throw new RdmaException(Errno.ENODEV, VERB, "cannot look at " + directory + ": " + e);
        }
    }

    /**
     * Joins a directory; {@link #leave} once for each call.
     *
     * @param directory the job's, which must exist; or null for one of this process's own.
     * @return the process's instance.
     */
    static Fabric join(final Path directory)
    {
        synchronized (OPEN)
        {
            final Path path = directory == null ? ownDirectory() : directory.toAbsolutePath().normalize();
            Fabric fabric = OPEN.get(path);
            if (fabric == null)
            {
                if (directory == null)
                {
                    makeDirectory(path);
                }
                if (!Files.isDirectory(path) || !Files.isWritable(path))
                {
                    throw new RdmaException(Errno.ENODEV, VERB, "TUTTI_SHM_DIR names '" + path +
                        "', which is not a directory that this user can write; unset it, or name one in /dev/shm");
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
     * Tells the directory from others.
     *
     * @return the same number for all that share it, of {@value #ID_BITS} bits.
     */
    long id()
    {
        return id;
    }

    Path directory()
    {
        return directory;
    }

    void leave()
    {
        synchronized (OPEN)
        {
            if (--users == 0)
            {
                OPEN.remove(directory);
                removeFiles();
                try
                {
                    Runtime.getRuntime().removeShutdownHook(shutdownHook);
                }
                catch (final IllegalStateException ignored)
                {
                    // The process is ending: the hook runs, and finds nothing left to do.
                }
            }
        }
    }

    /**
     * Claims the lowest free context index.
     *
     * @param reserved bytes of the control segment that get pages now.
     * @return what was claimed; the header is not written yet, apart from the token.
     */
    SharedFile claim(final long reserved)
    {
        final int lock = lockDirectory();
        try
        {
            final int incarnation = nextIncarnation();
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
            Native.close(lock);
        }
        throw new RdmaException(Errno.ENOMEM, VERB, ControlLayout.MAX_CONTEXTS +
            " contexts are open in " + directory + ", the most there can be; close some");
    }

    Path contextPath(final int index)
    {
        return directory.resolve(CONTEXT_PREFIX + index);
    }

    Path memoryPath(final int token, final int number)
    {
        return directory.resolve(MEMORY_PREFIX + Integer.toHexString(token) + "-" + number);
    }

    void add(final ShmDeviceMemory memory, final Path path)
    {
        files.add(path);
        memories.put(memory.address(), memory);
    }

    void remove(final ShmDeviceMemory memory, final Path path)
    {
        files.remove(path);
        memories.remove(memory.address());
    }

    /**
     * Removes a context's name; its segment stays as long as somebody maps it.
     *
     * @param index of the context.
     */
    void release(final int index)
    {
        final Path path = contextPath(index);
        files.remove(path);
        SharedFile.delete(path);
    }

    /**
     * The shared memory of this process that covers a range.
     *
     * @param address of the first byte.
     * @param length  in bytes.
     * @return null when none covers all of it.
     */
    ShmDeviceMemory memoryAt(final long address, final long length)
    {
        final Map.Entry<Long, ShmDeviceMemory> entry = memories.floorEntry(address);
        return entry != null && address - entry.getKey() <= entry.getValue().length() - length ?
            entry.getValue() : null;
    }

    /** A dead rank's memory can be most of the host's, so it goes as soon as somebody comes. */
    private void removeDead()
    {
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory, CONTEXT_PREFIX + "*"))
        {
            for (final Path path : paths)
            {
                reclaim(Integer.parseInt(path.getFileName().toString().substring(CONTEXT_PREFIX.length())));
            }
        }
        catch (final IOException | NumberFormatException ignored)
        {
            // Its index is not given out, then; nothing else depends on it.
        }
    }

    private void reclaim(final int index)
    {
        final Path path = contextPath(index);
        final int fd = Native.open(path.toString(), Native.O_RDWR);
        if (fd < 0)
        {
            return;
        }
        try
        {
            if (!SharedFile.isLocked(fd))
            {
                SharedFile.delete(path);
                removeMemoryOf(index);
            }
        }
        finally
        {
            Native.close(fd);
        }
    }

    private void removeMemoryOf(final int index)
    {
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory, MEMORY_PREFIX + "*"))
        {
            for (final Path path : paths)
            {
                final String[] parts = path.getFileName().toString().split("-", -1);
                if (ControlLayout.index(Integer.parseInt(parts[1], 16)) == index)
                {
                    SharedFile.delete(path);
                }
            }
        }
        catch (final IOException | NumberFormatException ignored)
        {
            // Not ours, or gone already: nothing depends on it.
        }
    }

    private int nextIncarnation()
    {
        final Path path = directory.resolve("incarnation");
        try
        {
            final int last = Files.exists(path) ? Integer.parseInt(Files.readString(path).trim()) : 0;
            final int next = last % ControlLayout.MAX_INCARNATION + 1;
            Files.writeString(path, next + "\n");
            files.add(path);
            return next;
        }
        catch (final IOException | NumberFormatException e)
        {
            throw new RdmaException(Errno.ENODEV, VERB, "cannot count contexts in " + path + ": " + e +
                "; if the directory is left over from a dead job, remove it");
        }
    }

    private int lockDirectory()
    {
        final Path path = directory.resolve("lock");
        final int fd = Native.open(path.toString(), Native.O_RDWR_CREAT);
        if (fd < 0)
        {
            throw new RdmaException(-fd, VERB, "cannot open " + path);
        }
        final long deadline = System.nanoTime() + LOCK_DEADLINE_NS;
        while (Native.flock(fd, Native.LOCK_EX | Native.LOCK_NB) < 0)
        {
            if (System.nanoTime() - deadline > 0)
            {
                Native.close(fd);
                throw new RdmaException(Errno.ETIMEDOUT, VERB, "another process has held " + path +
                    " for 10 s; it may be stopped");
            }
            LockSupport.parkNanos(LOCK_PAUSE_NS);
        }
        return fd;
    }

    private void removeFiles()
    {
        for (final Path path : files)
        {
            final String name = path.getFileName().toString();
            if (isOwned || name.startsWith(CONTEXT_PREFIX) || name.startsWith(MEMORY_PREFIX))
            {
                SharedFile.delete(path);
            }
        }
        if (isOwned)
        {
            SharedFile.delete(directory.resolve("lock"));
            SharedFile.delete(directory);
        }
    }

    private static long pidNamespace()
    {
        try
        {
            final String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            return Long.parseLong(link.replaceAll("[^0-9]", ""));
        }
        catch (final IOException | NumberFormatException e)
        {
            return 0;
        }
    }

    private static Path ownDirectory()
    {
        return Path.of("/dev/shm/tutti-" + Native.userId() + "-" + ProcessHandle.current().pid());
    }

    private static void makeDirectory(final Path path)
    {
        try
        {
            StaleDirectories.remove(path);
            Files.createDirectory(path,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        catch (final FileAlreadyExistsException ignored)
        {
            // Left by a dead process of the same number: its files are reclaimed one by one.
        }
        catch (final IOException e)
        {
            throw new RdmaException(Errno.ENODEV, VERB, "cannot make " + path + ": " + e +
                "; set TUTTI_SHM_DIR to a directory on a tmpfs");
        }
    }
}
