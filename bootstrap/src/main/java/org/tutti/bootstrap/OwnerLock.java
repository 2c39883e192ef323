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
 * An exclusive lock on a file in a job directory, which proves that an owner of the directory is alive, to processes of
 * any PID namespace. The kernel releases it when the process ends, but not while the process is stopped. It is a
 * POSIX record lock (fcntl), which child processes do not inherit. A process also loses such a lock when it closes any
 * descriptor of the file, so this class never opens the file of a lock that this process holds. Thread-safe.
 */
final class OwnerLock implements AutoCloseable
{
    /** The locks held by this process. The file's inode is the key, as its directory is renamed while locked. */
    private static final Map<Object, OwnerLock> HELD = new HashMap<>();

    private final Object key;
    private final FileChannel channel;

    private OwnerLock(final Object key, final FileChannel channel)
    {
        this.key = key;
        this.channel = channel;
    }

    /**
     * Creates and locks a file.
     *
     * @param file the file, which must not exist.
     * @return the lock; null if the file system does not support locks, and then no lock file is left.
     */
    static OwnerLock acquire(final Path file) throws IOException
    {
        synchronized (HELD)
        {
            final FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            if (!tryLock(channel, false))
            {
                channel.close();
                Files.delete(file);
                return null;
            }
            final OwnerLock lock = new OwnerLock(key(file), channel);
            HELD.put(lock.key, lock);
            return lock;
        }
    }

    /** Returns whether there is a lock file: then {@link #isReleased} determines whether its owner has ended. */
    static boolean exists(final Path file)
    {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns whether the owner of a lock file has certainly ended. */
    static boolean isReleased(final Path file)
    {
        synchronized (HELD)
        {
            try
            {
                if (HELD.containsKey(key(file)))
                {
                    return false;
                }
                // Shared, so that concurrent checks of other processes are not mistaken for the owner.
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
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

    private static Object key(final Path file) throws IOException
    {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
    }

    @Override
    public void close()
    {
        synchronized (HELD)
        {
            HELD.remove(key, this);
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
