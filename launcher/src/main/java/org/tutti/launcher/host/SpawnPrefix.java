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

import org.tutti.launcher.io.UsageException;

/**
 * The chain of small programs that starts a rank, most of them from util-linux: each sets one attribute of its own
 * process and then executes the next, so the process that Java started is the rank itself.
 */
public final class SpawnPrefix
{
    private static final String SETSID = find("setsid");
    private static final String SETPRIV = find("setpriv");
    private static final String TASKSET = find("taskset");
    private static final String ENV = find("env");
    private static final String PERL = find("perl");
    /**
     * A Perl program like setsid, but without a new session: makes a new process group, detaches from the terminal, by
     * TIOCNOTTY of tty_ioctl(4) on a stream that refers to the terminal, and executes its arguments as a command.
     */
    private static final String LEAVE_GROUP = """
        delete $ENV{PERL_BADLANG};
        setpgrp;
        open(TTY, "+<", "/dev/tty") && ioctl(TTY, 0x5422, 0) or ioctl(STDIN, 0x5422, 0);
        exec { $ARGV[0] } @ARGV or print STDERR "$ARGV[0]: $!\n";
        exit 127""";
    private static final Path AUTOGROUP = Path.of("/proc/sys/kernel/sched_autogroup_enabled");

    private SpawnPrefix()
    {
    }

    /**
     * Returns the command prefix that makes a process the leader of its own session and process group.
     *
     * @return the words before a command; none if setsid is missing.
     */
    public static List<String> session()
    {
        return SETSID == null ? List.of() : List.of(SETSID);
    }

    /**
     * Returns the prefix of a rank's command.
     *
     * @param cpus        the CPUs that the rank is bound to; empty if it is not bound.
     * @param sharesCores whether ranks share cores: then they stay in this session if the kernel schedules by session,
     *                    as a rank yields only within its session.
     * @return the words before the command.
     */
    public static List<String> rankPrefix(final List<Integer> cpus, final boolean sharesCores)
    {
        final List<String> prefix = new ArrayList<>(
            sharesCores && isSchedulingBySession() ? groupInThisSession() : session());
        if (SETPRIV != null)
        {
            // The kernel kills the rank when the thread that started it ends: the agent's thread, which lives as long
            // as this process.
            prefix.addAll(List.of(SETPRIV, "--pdeathsig", "KILL", "--"));
        }
        if (!cpus.isEmpty())
        {
            prefix.addAll(List.of(TASKSET, "-c", CpuTopology.format(cpus)));
        }
        return prefix;
    }

    /**
     * Returns the prefix that makes a process the leader of its own process group, without a new session or a terminal.
     */
    private static List<String> groupInThisSession()
    {
        // Suppresses warnings about missing locales, and with -t ignores PERL5OPT, which is for the rank.
        return ENV == null || PERL == null ? session() :
            List.of(ENV, "PERL_BADLANG=0", PERL, "-tX", "-e", LEAVE_GROUP);
    }

    /**
     * Returns whether the kernel schedules by session (autogroup, sched(7)): then a process yields only to its own
     * session. Autogroup has no effect in CPU control groups, where one session does no harm.
     */
    private static boolean isSchedulingBySession()
    {
        try
        {
            return Files.readString(AUTOGROUP).startsWith("1");
        }
        catch (final IOException absent)
        {
            // The kernel was built without autogroup.
            return false;
        }
    }

    /**
     * Checks that this host can bind ranks to CPUs.
     *
     * @throws UsageException if taskset is missing.
     */
    public static void requireBinding()
    {
        if (TASKSET == null)
        {
            throw new UsageException("--bind needs taskset, which is not on the PATH: install util-linux");
        }
    }

    /**
     * Reports if a program is missing without which only the reaper ends the ranks when the launcher is killed.
     *
     * @return one line with the program and the fix, or null if no program is missing.
     */
    public static String missing()
    {
        if (SETSID == null || SETPRIV == null)
        {
            return (SETSID == null ? "setsid" : "setpriv") + " is not on the PATH: if the launcher is killed, only " +
                "its reaper ends the ranks; install util-linux";
        }
        return null;
    }

    /**
     * Finds a program on the PATH.
     *
     * @param program the name of the program.
     * @return the path of the program, or null if there is none.
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
