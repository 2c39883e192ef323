/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Identifies a process by its pid, start time and PID namespace, so that a later process with the same pid is distinct.
 *
 * @param pid       the process ID.
 * @param startTime the start time in kernel ticks since boot; 0 if unknown.
 * @param namespace the scope of the process ID: the PID namespace, as containers have their own, and the boot ID of the
 *                  kernel. Empty if unknown.
 */
public record ProcessIdentity(long pid, long startTime, String namespace)
{
    /** Fields of proc_pid_stat(5), counted from the state, which follows the command's name. */
    private static final int STATE = 0;
    private static final int START_TIME = 19;
    /** Constant, as a process never leaves its PID namespace. */
    private static final String CURRENT_NAMESPACE = readNamespace();

    /**
     * Returns the identity of this process.
     *
     * @return the identity.
     */
    public static ProcessIdentity current()
    {
        return of(ProcessHandle.current().pid());
    }

    /**
     * Returns the identity of a process that is visible to this one.
     *
     * @param pid the process ID in this namespace.
     * @return the identity.
     */
    public static ProcessIdentity of(final long pid)
    {
        return new ProcessIdentity(pid, startTime(statOf(pid)), CURRENT_NAMESPACE);
    }

    /**
     * Returns whether the process still exists. A process of another container is considered alive, as it is not
     * visible.
     *
     * @return false only if the process has certainly ended.
     */
    public boolean isAlive()
    {
        if (!isOfThisNamespace())
        {
            return true;
        }
        if (startTime == 0)
        {
            return ProcessHandle.of(pid).isPresent();
        }
        return startTime(statOf(pid)) == startTime;
    }

    /**
     * Returns whether the process is stopped, by SIGSTOP, Ctrl-Z or a debugger: it is silent then, but not dead.
     *
     * @return true only if the process is certainly stopped.
     */
    public boolean isStopped()
    {
        if (startTime == 0 || !isOfThisNamespace())
        {
            return false;
        }
        final String[] stat = statOf(pid);
        return startTime(stat) == startTime && ("T".equals(stat[STATE]) || "t".equals(stat[STATE]));
    }

    /**
     * Returns whether the process ID is valid in this process's namespace.
     *
     * @return false for a process ID of another container.
     */
    public boolean isOfThisNamespace()
    {
        return namespace.equals(CURRENT_NAMESPACE);
    }

    String encode()
    {
        return pid + " " + startTime + " " + namespace + "\n";
    }

    /** Decodes the output of {@link #encode}; returns null for any other text. */
    static ProcessIdentity decode(final String text)
    {
        final String[] fields = text.strip().split(" ", -1);
        try
        {
            return fields.length < 2 ? null : new ProcessIdentity(
                Long.parseLong(fields[0]), Long.parseLong(fields[1]), fields.length > 2 ? fields[2] : "");
        }
        catch (final NumberFormatException ex)
        {
            return null;
        }
    }

    /** Returns the fields of proc_pid_stat(5) from the state on; null if there is no such process. */
    private static String[] statOf(final long pid)
    {
        try
        {
            final String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // The command's name may contain blanks and parentheses.
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        }
        catch (final IOException ex)
        {
            return null;
        }
    }

    private static long startTime(final String[] stat)
    {
        final boolean isGone = stat == null || "Z".equals(stat[STATE]) || "X".equals(stat[STATE]);
        return isGone ? 0 : Long.parseLong(stat[START_TIME]);
    }

    private static String readNamespace()
    {
        try
        {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")) + readBootId();
        }
        catch (final IOException ex)
        {
            return "";
        }
    }

    private static String readBootId()
    {
        try
        {
            return "@" + Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        }
        catch (final IOException ex)
        {
            return "";
        }
    }
}
