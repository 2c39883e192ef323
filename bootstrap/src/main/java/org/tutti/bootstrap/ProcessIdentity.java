/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process, told apart from a later one of the same number: by its start time, and by the PID namespace.
 *
 * @param pid       its number.
 * @param startTime when it started, in the kernel's ticks since boot; 0 where the kernel does not say.
 * @param namespace namespace of the process ID: the PID namespace, because a container counts its own, and the boot ID
 *                  of the kernel. Empty where the kernel does not say.
 */
public record ProcessIdentity(long pid, long startTime, String namespace)
{
    /** Fields of proc_pid_stat(5), counted from the state, which follows the command's name. */
    private static final int STATE = 0;
    private static final int START_TIME = 19;
    /** No process leaves its namespace. */
    private static final String CURRENT_NAMESPACE = readNamespace();

    /**
     * This process.
     *
     * @return its identity.
     */
    public static ProcessIdentity current()
    {
        return of(ProcessHandle.current().pid());
    }

    /**
     * A process that this one can see.
     *
     * @param pid its number here.
     * @return its identity.
     */
    public static ProcessIdentity of(final long pid)
    {
        return new ProcessIdentity(pid, startTime(statOf(pid)), CURRENT_NAMESPACE);
    }

    /**
     * Whether the process is still there. A process of another container counts as alive: it cannot be seen.
     *
     * @return false only if it is certain that it ended.
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
     * Whether the process is stopped, by SIGSTOP, Ctrl-Z or a debugger: it says nothing then, but is not dead.
     *
     * @return true only if it is certain.
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
     * Whether the number names the same process here.
     *
     * @return false if it is a number of another container.
     */
    public boolean isOfThisNamespace()
    {
        return namespace.equals(CURRENT_NAMESPACE);
    }

    String encode()
    {
        return pid + " " + startTime + " " + namespace + "\n";
    }

    /** Null if the text is not what {@link #encode} writes. */
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

    /** What the kernel says of a process, from its state on; null if there is none. */
    private static String[] statOf(final long pid)
    {
        try
        {
            final String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // The command's name may hold blanks and parentheses.
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
