/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

import org.tutti.launcher.Terminal;

/**
 * The stdin of this process, for rank 0. The first start of the job gets it as it is. A restart gets it again if it is
 * a file, from where it was; else it gets no input, as nothing can replay what was read.
 */
final class StandardInput
{
    private static final Path STDIN = Path.of("/proc/self/fd/0");

    /** The position of the file at the first start; -1 if stdin is not a file. */
    private final long start = Files.isRegularFile(STDIN) ? position() : -1;

    /**
     * Returns whether rank 0 may read stdin in a start of the job.
     *
     * @param restart the number of the restart, 0 for the first start.
     */
    boolean isReadable(final int restart)
    {
        return restart == 0 ? mayRead() : start >= 0 && rewind();
    }

    /** Returns whether stdin may have had input that a restart does not get. */
    boolean isLostByRestart()
    {
        final String target = Terminal.target(0);
        return target.startsWith("pipe:") || target.startsWith("socket:");
    }

    private static long position()
    {
        try
        {
            return channel().position();
        }
        catch (final IOException ex)
        {
            return -1;
        }
    }

    private boolean rewind()
    {
        try
        {
            channel().position(start);
            return true;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    @SuppressWarnings("resource") // The process's stdin stays open.
    private static FileChannel channel()
    {
        return new FileInputStream(FileDescriptor.in).getChannel();
    }

    /**
     * Returns whether rank 0 may read this process's stdin. The terminal of a background job belongs to the shell, and
     * a rank, which has no controlling terminal, would not be stopped for reading from it.
     */
    private static boolean mayRead()
    {
        if (!Terminal.isTerminal(0))
        {
            return true;
        }
        try
        {
            // pid (name) state ppid pgrp session tty_nr tpgid: the name may contain anything, so count from its end.
            final String stat = Files.readString(Path.of("/proc/self/stat"));
            final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields[2].equals(fields[5]);
        }
        catch (final IOException ex)
        {
            return true;
        }
    }
}
