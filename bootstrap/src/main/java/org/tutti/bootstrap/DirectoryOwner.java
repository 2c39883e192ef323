/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One of the owners of a job directory: a file that names its process, and a {@linkplain OwnerLock lock} that the
 * process holds for as long as it is alive.
 */
final class DirectoryOwner
{
    private static final String FIRST = "owner";
    private static final String LOCK_SUFFIX = ".lock";

    private final Path file;
    private final OwnerLock lock;

    private DirectoryOwner(final Path file, final OwnerLock lock)
    {
        this.file = file;
        this.lock = lock;
    }

    /** Makes this process the first owner of a directory that is not visible to other processes yet. */
    static DirectoryOwner first(final Path directory) throws IOException
    {
        return create(directory.resolve(FIRST));
    }

    /** Makes this process one more owner of a directory; several times if it contains several ranks. */
    static DirectoryOwner another(final Path directory) throws IOException
    {
        return create(directory.resolve(FIRST + "-" + JobSecret.generate()));
    }

    private static DirectoryOwner create(final Path file) throws IOException
    {
        // The lock precedes the file: other processes check the lock only if there is a file.
        final OwnerLock lock = OwnerLock.acquire(lockOf(file));
        try
        {
            Files.writeString(file, ProcessIdentity.current().encode());
        }
        catch (final IOException ex)
        {
            release(lock);
            throw ex;
        }
        return new DirectoryOwner(file, lock);
    }

    /** Returns the process that has created a directory, or null if the directory has no owner's file. */
    static ProcessIdentity firstOf(final Path directory)
    {
        return read(directory.resolve(FIRST));
    }

    /** Returns whether a directory has had owners, and all of them have ended or given it up. */
    static boolean hasOnlyEnded(final Path directory) throws IOException
    {
        final List<Path> files = files(directory);
        for (final Path file : files)
        {
            if (!hasEnded(file))
            {
                return false;
            }
        }
        return !files.isEmpty();
    }

    /** Returns whether a directory has no owner's file. */
    static boolean hasNone(final Path directory) throws IOException
    {
        return files(directory).isEmpty();
    }

    private static List<Path> files(final Path directory) throws IOException
    {
        final List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, FIRST + "*"))
        {
            for (final Path file : found)
            {
                if (!file.toString().endsWith(LOCK_SUFFIX))
                {
                    files.add(file);
                }
            }
        }
        return files;
    }

    private static boolean hasEnded(final Path file)
    {
        final ProcessIdentity owner = read(file);
        if (ProcessIdentity.current().equals(owner))
        {
            // Another class loader of this process may hold the lock, which opening the file would release.
            return false;
        }
        final Path lock = lockOf(file);
        return OwnerLock.exists(lock) ? OwnerLock.isReleased(lock) : owner == null || !owner.isAlive();
    }

    private static ProcessIdentity read(final Path file)
    {
        try
        {
            return ProcessIdentity.decode(Files.readString(file));
        }
        catch (final IOException ex)
        {
            return null;
        }
    }

    private static Path lockOf(final Path file)
    {
        return file.resolveSibling(file.getFileName() + LOCK_SUFFIX);
    }

    /** Releases the lock without removing the files, which were removed or moved with their directory. */
    void release()
    {
        release(lock);
    }

    private static void release(final OwnerLock lock)
    {
        if (lock != null)
        {
            lock.close();
        }
    }

    /**
     * Removes this owner's files from the directory.
     *
     * @param directory the directory, which may have been renamed.
     * @return whether there is no other owner, so that the caller removes the directory. True for both
     *         of the last two owners if they leave at the same time.
     */
    boolean leave(final Path directory)
    {
        try
        {
            final Path own = directory.resolve(file.getFileName());
            Files.deleteIfExists(own);
            Files.deleteIfExists(lockOf(own));
            return hasNone(directory) || hasOnlyEnded(directory);
        }
        catch (final IOException ex)
        {
            // Another process has removed the directory, or it cannot be read: removing it reports the reason.
            return true;
        }
    }
}
