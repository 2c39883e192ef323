/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Checks in advance that this process may open enough files (RLIMIT_NOFILE). A process that runs out of descriptors
 * fails at an arbitrary point: a media driver fails without a message, and other processes may be unable to load the
 * class of the error that they report.
 */
public final class OpenFileLimit
{
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Path OPEN = Path.of("/proc/self/fd");
    private static final String LINE = "Max open files";
    private static final int STEP = 64;

    private OpenFileLimit()
    {
    }

    /**
     * Checks that this process can open more files. If the kernel does not provide the limit, no limit is assumed.
     *
     * @param name   the component that needs the files, for the message, such as "rank 1".
     * @param needed the number of files and sockets that it will open in addition.
     * @throws BootstrapException if the limit is too low; the message names the limit and the required value.
     */
    public static void require(final String name, final long needed)
    {
        final long limit = limit();
        final String[] open = OPEN.toFile().list();
        // Listing needs a descriptor itself: if it fails, the limit is reached.
        final long count = open == null && Files.exists(OPEN) ? limit : open == null ? 0 : open.length;
        if (limit - count < needed)
        {
            throw new BootstrapException(name + " needs " + needed + " more open files, but the limit is " +
                limit + " (ulimit -n) and " + count + " are open: set 'ulimit -n " +
                (count + needed + STEP - 1) / STEP * STEP + "' or more before the start");
        }
    }

    /** Returns the soft limit, which a JVM raises to the hard limit at its start. */
    private static long limit()
    {
        final List<String> lines;
        try
        {
            lines = Files.readAllLines(LIMITS);
        }
        catch (final IOException ex)
        {
            return Long.MAX_VALUE;
        }
        for (final String line : lines)
        {
            if (line.startsWith(LINE))
            {
                final String soft = line.substring(LINE.length()).strip().split(" +", 2)[0];
                return "unlimited".equals(soft) ? Long.MAX_VALUE : Long.parseLong(soft);
            }
        }
        return Long.MAX_VALUE;
    }
}
