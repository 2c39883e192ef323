/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;

/**
 * An exclusive lock on a file in a job directory, which proves that the owner of the directory is alive, to processes
 * of any PID namespace. The kernel releases it when the process ends, but not while the process is stopped. It is a
 * POSIX record lock (fcntl), which child processes do not inherit. A process also loses such a lock when it closes any
 * descriptor of the file, so this class never opens the file of a lock that this process holds. Thread-safe.
 */
final class OwnerLock implements AutoCloseable
{
    private static final String FILE = "owner.lock";

    /** The locks held by this process. The directory's inode is the key, as the directory is renamed while locked. */
    private static final Map<Object, OwnerLock> HELD = new HashMap<>();

    private final Object directory;
    private final FileChannel channel;

    private OwnerLock(final Object directory, final FileChannel channel)
    {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Locks a directory that is not visible to other processes yet.
     *
     * @param directory the directory to lock.
     * @return the lock, to be closed after the directory is removed; null if the file system does not support locks,
     *         and then no lock file is left.
     */
    static OwnerLock acquire(final Path directory) throws IOException
    {
        synchronized (HELD)
        {
            final Object key = key(directory);
            final Path file = directory.resolve(FILE);
            final FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            if (!tryLock(channel, false))
            {
                channel.close();
                Files.delete(file);
                return null;
            }
            final OwnerLock lock = new OwnerLock(key, channel);
            HELD.put(lock.directory, lock);
            return lock;
        }
    }

    /** Returns whether a directory has a lock file: then {@link #isReleased} determines whether its owner has ended. */
    static boolean isIn(final Path directory)
    {
        return Files.isRegularFile(directory.resolve(FILE), LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns whether the owner of a directory with a lock file has certainly ended. */
    static boolean isReleased(final Path directory)
    {
        synchronized (HELD)
        {
            try
            {
                if (HELD.containsKey(key(directory)))
                {
                    return false;
                }
                // Shared, so that concurrent checks of other processes are not mistaken for the owner.
                try (FileChannel channel = FileChannel.open(directory.resolve(FILE), StandardOpenOption.READ))
                {
                    return tryLock(channel, true);
                }
            }
            catch (final IOException ex)
            {
                // The lock file was removed in the meantime, or cannot be read.
                return false;
            }
        }
    }

    /** Tries to lock the file of a channel; closing the channel releases the lock. */
    private static boolean tryLock(final FileChannel channel, final boolean isShared)
    {
        try
        {
            final FileLock lock = channel.tryLock(0, Long.MAX_VALUE, isShared);
            return lock != null;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    private static Object key(final Path directory) throws IOException
    {
        return Files.readAttributes(directory, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
    }

    @Override
    public void close()
    {
        synchronized (HELD)
        {
            HELD.remove(directory, this);
            try
            {
                channel.close();
            }
            catch (final IOException ex)
            {
                // The descriptor is closed even if close fails, and no data can be lost: nothing was written.
            }
        }
    }
}
