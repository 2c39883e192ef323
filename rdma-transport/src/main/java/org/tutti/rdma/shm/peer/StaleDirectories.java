/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.tutti.rdma.os.FileCalls;
import org.tutti.rdma.os.ProcessCalls;
import org.tutti.rdma.os.ThisProcess;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Removes leftover private directories of processes that were killed: {@code /dev/shm/tutti-shm-UID-PID-RANDOM}. A
 * job's directory never has such a name. The owner of a directory holds a lock on it ({@code flock}), which the kernel
 * releases when the process exits, even if it runs in another PID namespace. Stateless.
 */
public final class StaleDirectories
{
    /** The owner of a younger directory might not have locked it yet. */
    private static final long MIN_AGE_MS = 10_000;
    static final Path BASE = Path.of("/dev/shm");
    private static final String PREFIX = "tutti-shm-" + ProcessCalls.userId() + "-";
    private static final Pattern NAME = Pattern.compile(Pattern.quote(PREFIX) + "[0-9]+-[0-9a-f]+");

    /** The directory of this process; unique even if another namespace has a process with the same ID. */
    public static final Path OWN =
        BASE.resolve(PREFIX + ProcessHandle.current().pid() + "-" + Integer.toHexString((int)ThisProcess.ID));

    private StaleDirectories()
    {
    }

    /**
     * Locks this process's directory for as long as the descriptor is open; child processes do not inherit it.
     *
     * @return the descriptor, or a negative errno.
     */
    static int lockOwn()
    {
        final int fd = FileCalls.open(OWN.toString(), FileCalls.O_RDONLY);
        if (fd >= 0)
        {
            FileCalls.flock(fd, FileCalls.LOCK_EX | FileCalls.LOCK_NB);
        }
        return fd;
    }

    /**
     * Removes the directories of this user's dead processes.
     *
     * @param base the parent directory, normally {@link #BASE}.
     */
    static void remove(final Path base)
    {
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(base, PREFIX + "*"))
        {
            for (final Path path : paths)
            {
                if (NAME.matcher(path.getFileName().toString()).matches() && isOwn(path) && isUnused(path))
                {
                    removeAll(path);
                }
            }
        }
        catch (final IOException ignored)
        {
            // A directory that cannot be removed only takes space.
        }
    }

    /**
     * Checks type and owner, because another user can create a link with this name, or a directory with files that
     * block a process on open.
     */
    private static boolean isOwn(final Path path) throws IOException
    {
        final Map<String, Object> attributes =
            Files.readAttributes(path, "unix:uid,isDirectory", LinkOption.NOFOLLOW_LINKS);
        return (boolean)attributes.get("isDirectory") && (int)attributes.get("uid") == ProcessCalls.userId();
    }

    private static boolean isUnused(final Path directory) throws IOException
    {
        if (System.currentTimeMillis() - Files.getLastModifiedTime(directory).toMillis() < MIN_AGE_MS)
        {
            return false;
        }
        if (isLocked(directory))
        {
            return false;
        }
        // Other processes may have contexts in the directory, too.
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
        {
            for (final Path file : files)
            {
                if (isLocked(file))
                {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isLocked(final Path path)
    {
        final int fd = FileCalls.open(path.toString(), FileCalls.O_RDONLY);
        if (fd < 0)
        {
            return false;
        }
        final boolean isLocked = FileCalls.isLocked(fd);
        FileCalls.close(fd);
        return isLocked;
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
