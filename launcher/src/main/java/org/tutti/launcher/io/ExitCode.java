/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

/** Exit codes of the command line, as shells, `timeout` and mpirun use them. */
public final class ExitCode
{
    public static final int OK = 0;
    public static final int FAILURE = 1;
    public static final int USAGE = 2;
    public static final int TIMED_OUT = 124;

    private static final int SIGNAL_BASE = 128;
    private static final String[] SIGNALS = {
        null, "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGUSR1",
        "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP",
        "SIGTTIN", "SIGTTOU", "SIGURG", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO", "SIGPWR",
        "SIGSYS"};

    private ExitCode()
    {
    }

    /** The code of a process that a signal ended. */
    public static int ofSignal(final int signal)
    {
        return SIGNAL_BASE + signal;
    }

    /**
     * How a process ended, for people. A process that exits with 137 by itself looks like one that was killed: waiting
     * for a process in Java does not tell them apart, nor do shells.
     */
    public static String describe(final int code)
    {
        final int signal = code - SIGNAL_BASE;
        return signal > 0 && signal < SIGNALS.length ? "killed by " + SIGNALS[signal] : "exited with code " + code;
    }
}
