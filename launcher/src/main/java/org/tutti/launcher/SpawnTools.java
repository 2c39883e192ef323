/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The small programs of util-linux through which a rank is started: each sets one thing about its own process and then
 * becomes the next, so the process that Java started is the rank itself.
 */
final class SpawnTools
{
    private static final String SETSID = find("setsid");
    private static final String SETPRIV = find("setpriv");
    private static final String TASKSET = find("taskset");

    private SpawnTools()
    {
    }

    /** What makes a process the leader of its own session and process group. */
    static List<String> session()
    {
        return SETSID == null ? List.of() : List.of(SETSID);
    }

    /**
     * What comes before a rank's command.
     *
     * @param core to keep it on, or -1.
     */
    static List<String> rankPrefix(final int core)
    {
        final List<String> prefix = new ArrayList<>(session());
        if (SETPRIV != null)
        {
            // The kernel kills the rank when the thread that started it ends: the agent's, which lives as long as we.
            prefix.addAll(List.of(SETPRIV, "--pdeathsig", "KILL", "--"));
        }
        if (core >= 0)
        {
            prefix.addAll(List.of(TASKSET, "-c", Integer.toString(core)));
        }
        return prefix;
    }

    static boolean canBind()
    {
        return TASKSET != null;
    }

    /** What is not there and weakens the promise that nothing outlives the launcher, or null. */
    static String missing()
    {
        if (SETSID == null || SETPRIV == null)
        {
            return (SETSID == null ? "setsid" : "setpriv") + " is not on the PATH: the ranks of a launcher that is " +
                "killed are ended by its guardian only; install util-linux";
        }
        return null;
    }

    /** The path of a program on the PATH, or null. */
    static String find(final String program)
    {
        final String path = System.getenv("PATH");
        for (final String directory : (path == null ? "/usr/bin:/bin" : path).split(":", -1))
        {
            final Path candidate = Path.of(directory.isEmpty() ? "." : directory, program);
            if (Files.isRegularFile(candidate) && Files.isExecutable(candidate))
            {
                return candidate.toString();
            }
        }
        return null;
    }
}
