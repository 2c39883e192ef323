/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the host and the control groups (version 2) that this process is in can give without swapping or killing. What
 * cannot be read sets no limit. Thread-safe.
 *
 * @param processes where {@code proc} is mounted.
 * @param groups    where the control groups are.
 */
public record MemoryLimits(Path processes, Path groups)
{
    /** Those of this process. */
    public static final MemoryLimits ACTUAL = new MemoryLimits(Path.of("/proc"), Path.of("/sys/fs/cgroup"));

    private static final String GROUP_PREFIX = "0::/";

    /**
     * Checks that memory can be had.
     *
     * @param bytes number of bytes to touch.
     * @param verb  verb named in errors.
     * @throws RdmaException with ENOMEM if there is less; it says where, how much, and what to do.
     */
    public void check(final long bytes, final String verb)
    {
        final List<String> host = lines(processes.resolve("meminfo"));
        final long available = value(host, "MemAvailable:") << 10;
        if (available >= 0)
        {
            check(bytes, available, verb, "the host", "end other programs");
        }
        for (final String line : lines(processes.resolve("self/cgroup")))
        {
            if (line.startsWith(GROUP_PREFIX))
            {
                checkGroups(groups.resolve(line.substring(GROUP_PREFIX.length())).normalize(), bytes, verb);
            }
        }
    }

    /** A group's limit is also that of the groups in it. */
    private void checkGroups(final Path innermost, final long bytes, final String verb)
    {
        for (Path group = innermost; group != null && group.startsWith(groups); group = group.getParent())
        {
            final long max = value(lines(group.resolve("memory.max")), "");
            final long current = value(lines(group.resolve("memory.current")), "");
            if (max >= 0 && current >= 0)
            {
                final List<String> statistics = lines(group.resolve("memory.stat"));
                // Pages of files count as used, but the kernel takes them back when it needs them.
                final long files = Math.max(0, value(statistics, "active_file ")) +
                    Math.max(0, value(statistics, "inactive_file "));
                check(bytes, Math.max(0, max - current + files), verb,
                    "the control group " + group + " with its memory.max of " + max,
                    "raise that (docker run --memory, systemd's MemoryMax)");
            }
        }
    }

    private static void check(
        final long bytes, final long available, final String verb, final String where, final String fix)
    {
        if (bytes > available)
        {
            throw new RdmaException(Errno.ENOMEM, verb, bytes + " bytes of shared memory asked for, but " + where +
                " has only " + available + " bytes of memory available: " + (bytes - available) + " are missing; " +
                fix + ", or use smaller buffers");
        }
    }

    /** The number after a name at the start of a line, or -1; of one that has no number, too. */
    private static long value(final List<String> lines, final String name)
    {
        for (final String line : lines)
        {
            if (line.startsWith(name))
            {
                final String digits = line.substring(name.length()).replaceAll("[^0-9]", "");
                return digits.isEmpty() || digits.length() > 18 ? -1 : Long.parseLong(digits);
            }
        }
        return -1;
    }

    private static List<String> lines(final Path path)
    {
        try
        {
            return Files.readAllLines(path);
        }
        catch (final IOException ignored)
        {
            return List.of();
        }
    }
}
