/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Removes the directories that processes killed without a chance to clean up left in {@code /dev/shm}. Stateless. */
final class StaleDirectories
{
    /** Directories younger than this may be about to be used by a process that this one cannot see. */
    private static final long MIN_AGE_MS = 10_000;

    private StaleDirectories()
    {
    }

    /**
     * Removes the dead neighbours of a process's directory.
     *
     * @param own the directory, named {@code tutti-UID-PID}.
     */
    static void remove(final Path own)
    {
        final String name = own.getFileName().toString();
        final String prefix = name.substring(0, name.lastIndexOf('-') + 1);
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(own.getParent(), prefix + "*"))
        {
            for (final Path path : paths)
            {
                final String pid = path.getFileName().toString().substring(prefix.length());
                if (pid.matches("[0-9]+") && !Files.exists(Path.of("/proc", pid)) && isUnused(path))
                {
                    removeAll(path);
                }
            }
        }
        catch (final IOException ignored)
        {
            // What cannot be removed does no harm but take space.
        }
    }

    private static boolean isUnused(final Path directory) throws IOException
    {
        if (System.currentTimeMillis() - Files.getLastModifiedTime(directory).toMillis() < MIN_AGE_MS)
        {
            return false;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
        {
            for (final Path file : files)
            {
                final int fd = Native.open(file.toString(), Native.O_RDWR);
                if (fd >= 0)
                {
                    final boolean isUsed = SharedFile.isLocked(fd);
                    Native.close(fd);
                    if (isUsed)
                    {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private static void removeAll(final Path directory) throws IOException
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
        {
            for (final Path file : files)
            {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(directory);
    }
}
