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
 * An exclusive lock on a file in a job directory, which proves that the owner of the directory is alive. The kernel
 * releases it when the process ends, and at no other time: not while the process is stopped, and whatever PID namespace
 * it was in. It is a POSIX record lock (fcntl), which child processes do not inherit. Such a lock is lost when its
 * process closes any descriptor of the file, so this class never opens the file of a lock that this process holds.
 * Thread-safe.
 */
final class OwnerLock implements AutoCloseable
{
    private static final String FILE = "owner.lock";

    /** By the directory's inode: the directory is renamed while it is locked. */
    private static final Map<Object, OwnerLock> HELD = new HashMap<>();

    private final Object directory;
    private final FileChannel channel;

    private OwnerLock(final Object directory, final FileChannel channel)
    {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Locks a directory that no other process looks at yet.
     *
     * @param directory directory to lock.
     * @return the lock, to be closed after the directory is removed; null where the file system has no locks: then
     *         there is no lock file either.
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

    /** Whether a directory has a lock file, and so tells by it whether its owner is alive. */
    static boolean isIn(final Path directory)
    {
        return Files.isRegularFile(directory.resolve(FILE), LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether the owner of a directory that has a lock file has certainly ended. */
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
                // Shared, so that processes that look at the same time do not take each other for the owner.
                try (FileChannel channel = FileChannel.open(directory.resolve(FILE), StandardOpenOption.READ))
                {
                    return tryLock(channel, true);
                }
            }
            catch (final IOException ex)
            {
                // It was removed meanwhile, or cannot be looked at.
                return false;
            }
        }
    }

    /** Closing the channel releases the lock. */
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
                // Nothing was written: the descriptor is gone all the same.
            }
        }
    }
}
