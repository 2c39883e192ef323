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
 * The limit of this process's open files (RLIMIT_NOFILE), checked before they are needed: a process that runs out of
 * descriptors fails wherever it is: a media driver without a message; others cannot even load the class of an error.
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
     * Checks that this process can open more files. Where the kernel does not tell the limit, there is none.
     *
     * @param name   name of the part that needs them, for the message: "rank 1".
     * @param needed files and sockets that it will open, besides those that are.
     * @throws BootstrapException if the limit allows fewer: names it, its value, and what is needed.
     */
    public static void require(final String name, final long needed)
    {
        final long limit = limit();
        final String[] open = OPEN.toFile().list();
        // A list needs a descriptor itself: none for it, none for anything else.
        final long count = open == null && Files.exists(OPEN) ? limit : open == null ? 0 : open.length;
        if (limit - count < needed)
        {
            throw new BootstrapException(name + " needs " + needed + " more open files, but this process may have " +
                limit + " (ulimit -n), and has " + count + ": set 'ulimit -n " +
                (count + needed + STEP - 1) / STEP * STEP + "' or more where it is started");
        }
    }

    /** The soft limit, which a JVM raises to the hard one when it starts. */
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
