/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds whether a control group limits the memory of this process, as in containers and in jobs of Slurm: a JVM takes
 * such a limit for the memory of the host. The JDK's management interface knows the limit, but loading it takes longer
 * than all else that a launcher does before it starts ranks.
 */
final class MemoryLimit
{
    /** Whether there is a limit; a process does not change its control group. */
    private static final class Found
    {
        static final boolean IS_SET = isSet(Path.of("/"));
    }

    private MemoryLimit()
    {
    }

    /** Returns whether this process may use less than the memory of the host. */
    static boolean isSet()
    {
        return Found.IS_SET;
    }

    /** As {@link #isSet()}, with the directories {@code proc} and {@code sys} of a root directory. */
    static boolean isSet(final Path root)
    {
        try
        {
            final long memory = memory(Files.readAllLines(root.resolve("proc/meminfo")));
            for (final String line : Files.readAllLines(root.resolve("proc/self/cgroup")))
            {
                // Number, controllers and path; version 2 has no list of controllers.
                final String[] parts = line.split(":", 3);
                if (parts.length == 3 && isLower(root.resolve("sys/fs/cgroup"), parts[1], parts[2], memory))
                {
                    return true;
                }
            }
        }
        catch (final IOException | NumberFormatException ex)
        {
            return false;
        }
        return false;
    }

    private static long memory(final List<String> lines) throws IOException
    {
        for (final String line : lines)
        {
            final String[] words = line.split("\\s+", -1);
            if (words[0].equals("MemTotal:") && words.length > 1)
            {
                return Long.parseLong(words[1]) << 10;
            }
        }
        throw new IOException("no MemTotal");
    }

    /** Whether a control group, or one that contains it, has a lower limit than the memory. */
    private static boolean isLower(
        final Path mount, final String controllers, final String path, final long memory) throws IOException
    {
        final boolean isUnified = controllers.isEmpty();
        if (!isUnified && !List.of(controllers.split(",", -1)).contains("memory"))
        {
            return false;
        }
        final Path top = isUnified ? mount : mount.resolve("memory");
        final String name = isUnified ? "memory.max" : "memory.limit_in_bytes";
        // A container may see its own group as the top one, although its path is a longer one.
        Path group = top.resolve(path.substring(path.startsWith("/") ? 1 : 0)).normalize();
        while (group != null && group.startsWith(top))
        {
            final Path file = group.resolve(name);
            final String limit = Files.isReadable(file) ? Files.readString(file).strip() : "max";
            if (!limit.equals("max") && Long.parseLong(limit) < memory)
            {
                return true;
            }
            group = group.getParent();
        }
        return false;
    }
}
