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
 * The memory available on the host and in the control groups (version 2) of this process without swapping or the OOM
 * killer. Values that cannot be read set no limit. Thread-safe.
 *
 * @param processes mount point of {@code proc}.
 * @param groups    mount point of the control groups.
 */
public record MemoryLimits(Path processes, Path groups)
{
    /** The limits of this process. */
    public static final MemoryLimits ACTUAL = new MemoryLimits(Path.of("/proc"), Path.of("/sys/fs/cgroup"));

    private static final String GROUP_PREFIX = "0::/";

    /**
     * Checks that memory is available.
     *
     * @param bytes number of bytes to be used.
     * @param verb  verb named in errors.
     * @throws RdmaException with ENOMEM if less is available; the message names the limit, the amount and the fix.
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

    /** Checks all groups from the innermost outwards, because a group's limit also applies to the groups in it. */
    private void checkGroups(final Path innermost, final long bytes, final String verb)
    {
        for (Path group = innermost; group != null && group.startsWith(groups); group = group.getParent())
        {
            final long max = value(lines(group.resolve("memory.max")), "");
            final long current = value(lines(group.resolve("memory.current")), "");
            if (max >= 0 && current >= 0)
            {
                final List<String> statistics = lines(group.resolve("memory.stat"));
                // Page cache counts as used, but the kernel reclaims it on demand.
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
            throw new RdmaException(Errno.ENOMEM, verb, bytes + " bytes of shared memory requested, but " + where +
                " has only " + available + " bytes of memory available (" + (bytes - available) + " missing); " +
                fix + ", or use smaller buffers");
        }
    }

    /** The number after a name at the start of a line, or -1 if there is none. */
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
