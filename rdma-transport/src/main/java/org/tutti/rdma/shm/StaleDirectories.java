/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directories of processes that were given none, and what is left of them when the process was killed:
 * {@code /dev/shm/tutti-shm-UID-PID-RANDOM}. A job's directory is never named so. Stateless.
 */
final class StaleDirectories
{
    /** Directories younger than this may be about to be used by a process that this one cannot see. */
    private static final long MIN_AGE_MS = 10_000;
    private static final Path BASE = Path.of("/dev/shm");
    private static final String PREFIX = "tutti-shm-" + ProcessCalls.userId() + "-";
    private static final Pattern NAME = Pattern.compile(Pattern.quote(PREFIX) + "([0-9]+)-[0-9a-f]+");

    /** This process's, also if another namespace has a process of the same number. */
    static final Path OWN =
        BASE.resolve(PREFIX + ProcessHandle.current().pid() + "-" + Integer.toHexString((int)Fabric.PROCESS));

    private StaleDirectories()
    {
    }

    /** Removes this user's whose process is dead. */
    static void remove()
    {
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(BASE, PREFIX + "*"))
        {
            for (final Path path : paths)
            {
                final Matcher name = NAME.matcher(path.getFileName().toString());
                if (name.matches() && !Files.exists(Path.of("/proc", name.group(1))) && isUnused(path))
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
                final int fd = FileCalls.open(file.toString(), FileCalls.O_RDWR);
                if (fd >= 0)
                {
                    final boolean isUsed = SharedFile.isLocked(fd);
                    FileCalls.close(fd);
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
