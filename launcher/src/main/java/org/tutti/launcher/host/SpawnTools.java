/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The small programs through which a rank is started, most of them of util-linux: each sets one thing about its own
 * process and then becomes the next, so the process that Java started is the rank itself.
 */
public final class SpawnTools
{
    private static final String SETSID = find("setsid");
    private static final String SETPRIV = find("setpriv");
    private static final String TASKSET = find("taskset");
    private static final String ENV = find("env");
    private static final String PERL = find("perl");
    /**
     * What setsid does but for the session: a process group of its own, and no terminal, by TIOCNOTTY of tty_ioctl(4)
     * on the first stream that leads to it.
     */
    private static final String LEAVE_GROUP = """
        delete $ENV{PERL_BADLANG};
        setpgrp;
        open(TTY, "+<", "/dev/tty") && ioctl(TTY, 0x5422, 0) or ioctl(STDIN, 0x5422, 0);
        exec { $ARGV[0] } @ARGV or print STDERR "$ARGV[0]: $!\n";
        exit 127""";
    private static final Path AUTOGROUP = Path.of("/proc/sys/kernel/sched_autogroup_enabled");

    private SpawnTools()
    {
    }

    /**
     * What makes a process the leader of its own session and process group.
     *
     * @return the words before a command; none where setsid is missing.
     */
    public static List<String> session()
    {
        return SETSID == null ? List.of() : List.of(SETSID);
    }

    /**
     * What comes before a rank's command.
     *
     * @param core        the core that the rank is bound to, or -1.
     * @param sharesCores whether ranks share cores: in sessions of their own they would not take turns everywhere.
     * @return the words before the command.
     */
    public static List<String> rankPrefix(final int core, final boolean sharesCores)
    {
        final List<String> prefix = new ArrayList<>(
            sharesCores && isSchedulingBySession() ? groupInThisSession() : session());
        if (SETPRIV != null)
        {
            // The kernel kills the rank when the thread that started it ends: the agent's, which lives as long as this
            // process.
            prefix.addAll(List.of(SETPRIV, "--pdeathsig", "KILL", "--"));
        }
        if (core >= 0)
        {
            prefix.addAll(List.of(TASKSET, "-c", Integer.toString(core)));
        }
        return prefix;
    }

    /** What makes a process the leader of its own process group only, without a terminal. */
    private static List<String> groupInThisSession()
    {
        // Not a word of a locale that is not installed; and by -t, nothing of PERL5OPT, which is the rank's.
        return ENV == null || PERL == null ? session() :
            List.of(ENV, "PERL_BADLANG=0", PERL, "-tX", "-e", LEAVE_GROUP);
    }

    /**
     * Whether Linux schedules sessions, and processes only within them: then to yield is to yield to one's own session.
     * sched(7) calls it autogroup. In control groups for processors it does not, and nothing is lost.
     */
    private static boolean isSchedulingBySession()
    {
        try
        {
            return Files.readString(AUTOGROUP).startsWith("1");
        }
        catch (final IOException absent)
        {
            // Linux was built without.
            return false;
        }
    }

    /**
     * Whether ranks can be bound to cores.
     *
     * @return false where taskset is missing.
     */
    public static boolean canBind()
    {
        return TASKSET != null;
    }

    /**
     * What is missing for a clean end of ranks when the launcher is killed.
     *
     * @return one line with the fix, or null if nothing is missing.
     */
    public static String missing()
    {
        if (SETSID == null || SETPRIV == null)
        {
            return (SETSID == null ? "setsid" : "setpriv") + " is not on the PATH: the ranks of a launcher that is " +
                "killed are ended by its reaper only; install util-linux";
        }
        return null;
    }

    /**
     * Finds a program on the PATH.
     *
     * @param program the name of the program.
     * @return its path, or null if there is none.
     */
    public static String find(final String program)
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
