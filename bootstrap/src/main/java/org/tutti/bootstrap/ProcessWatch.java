/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.io.RandomAccessFile;

/**
 * Looks again and again whether one process is still there, in two system calls and without allocating:
 * proc_pid_stat(5) stays open, and an open file of a process keeps to that process, even if another one gets its
 * number. Where the kernel does not say, or no descriptor is free, it asks as {@link ProcessIdentity#isAlive} does. For
 * one thread at a time.
 */
public final class ProcessWatch implements AutoCloseable
{
    /** The state stands behind the command's name, which the kernel cuts to 64 bytes at most. */
    private static final int HEAD_LENGTH = 128;

    private final ProcessIdentity process;
    private final RandomAccessFile stat;
    private final byte[] head;
    private boolean isGone;

    /**
     * Begins to watch a process.
     *
     * @param process process to watch, in whatever namespace; it may have ended.
     */
    public ProcessWatch(final ProcessIdentity process)
    {
        this.process = process;
        stat = process.isOfThisNamespace() && process.startTime() != 0 ? open(process.pid()) : null;
        head = stat == null ? null : new byte[HEAD_LENGTH];
        // A process that has its number now has had it since before the file was opened, so the file is that one's.
        isGone = !process.isAlive();
    }

    private static RandomAccessFile open(final long pid)
    {
        try
        {
            return new RandomAccessFile("/proc/" + pid + "/stat", "r");
        }
        catch (final IOException ex)
        {
            return null;
        }
    }

    /**
     * The process.
     *
     * @return as it was given.
     */
    public ProcessIdentity process()
    {
        return process;
    }

    /**
     * Whether the process is still there. Once false, always false.
     *
     * @return false only if it is certain that it ended.
     */
    public boolean isAlive()
    {
        if (!isGone)
        {
            isGone = stat == null ? !process.isAlive() : hasEnded();
        }
        return !isGone;
    }

    private boolean hasEnded()
    {
        final int length;
        try
        {
            stat.seek(0);
            length = stat.read(head, 0, HEAD_LENGTH);
        }
        catch (final IOException ex)
        {
            // The kernel's answer for one that is gone, ESRCH; or the file was closed.
            return !process.isAlive();
        }
        // Blanks and parentheses may be in the name, but not behind it.
        for (int i = length - 3; i >= 0; i--)
        {
            if (head[i] == ')')
            {
                return isDead(head[i + 2]);
            }
        }
        return !process.isAlive();
    }

    private static boolean isDead(final byte state)
    {
        return state == 'Z' || state == 'X' || state == 'x';
    }

    /** Gives back the descriptor. Idempotent. */
    @Override
    public void close()
    {
        if (stat != null)
        {
            try
            {
                stat.close();
            }
            catch (final IOException ex)
            {
                // It was only read: nothing is lost.
            }
        }
    }
}
