/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.io.RandomAccessFile;

/**
 * Polls whether a process still exists, in two system calls and without allocation: proc_pid_stat(5) stays open, and an
 * open file of a process refers to that process only, even if its pid is reused. If the kernel does not provide the
 * file, or no descriptor is free, checks like {@link ProcessIdentity#isAlive}. For one thread at a time.
 */
public final class ProcessWatch implements AutoCloseable
{
    /** The number of bytes to read: enough for the state, which follows the command's name of at most 64 bytes. */
    private static final int HEAD_LENGTH = 128;

    private final ProcessIdentity process;
    private final RandomAccessFile stat;
    private final byte[] head;
    private boolean isGone;

    /**
     * Starts watching a process.
     *
     * @param process the process, in any namespace; may have ended.
     */
    public ProcessWatch(final ProcessIdentity process)
    {
        this.process = process;
        stat = process.isOfThisNamespace() && process.startTime() != 0 ? open(process.pid()) : null;
        head = stat == null ? null : new byte[HEAD_LENGTH];
        // If the process is alive now, it was alive when the file was opened, so the file is its own.
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
     * Returns the process.
     *
     * @return the process, as given.
     */
    public ProcessIdentity process()
    {
        return process;
    }

    /**
     * Returns whether the process still exists. Once false, always false.
     *
     * @return false only if the process has certainly ended.
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
            // ESRCH: the process has ended; or the file was closed.
            return !process.isAlive();
        }
        // The name may contain blanks and parentheses, the following fields do not.
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

    /** Closes the descriptor. Idempotent. */
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
                // The file was only read: nothing is lost.
            }
        }
    }
}
