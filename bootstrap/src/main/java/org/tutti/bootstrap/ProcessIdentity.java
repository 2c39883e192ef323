/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process, told apart from a later one of the same number: by when it started, and by whose numbers these are.
 *
 * @param pid       its number.
 * @param startTime when it started, in the kernel's ticks since boot; 0 where the kernel does not say.
 * @param namespace whose numbers: a container counts its own. Empty where the kernel does not say.
 */
public record ProcessIdentity(long pid, long startTime, String namespace)
{
    private static final int START_TIME_FIELD = 22;

    /**
     * This process.
     *
     * @return its identity.
     */
    public static ProcessIdentity current()
    {
        final long pid = ProcessHandle.current().pid();
        return new ProcessIdentity(pid, startTimeOf(pid), currentNamespace());
    }

    /**
     * Whether the process is still there. A process of another container counts as alive, for nobody here can tell.
     *
     * @return false only if it is certain that it ended.
     */
    public boolean isAlive()
    {
        if (!namespace.equals(currentNamespace()))
        {
            return true;
        }
        if (startTime == 0)
        {
            return ProcessHandle.of(pid).isPresent();
        }
        return startTimeOf(pid) == startTime;
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

    /** Field 22 of proc_pid_stat(5), counted after the command's name, which may hold blanks and parentheses. */
    private static long startTimeOf(final long pid)
    {
        try
        {
            final String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            final boolean isGone = "Z".equals(fields[0]) || "X".equals(fields[0]);
            return isGone ? 0 : Long.parseLong(fields[START_TIME_FIELD - 3]);
        }
        catch (final IOException ex)
        {
            return 0;
        }
    }

    private static String currentNamespace()
    {
        try
        {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        }
        catch (final IOException ex)
        {
            return "";
        }
    }
}
