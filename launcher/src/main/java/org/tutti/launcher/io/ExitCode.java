/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

/** Exit codes of the command line, those of shells, {@code timeout} and mpirun. */
public final class ExitCode
{
    /** All ranks succeeded. */
    public static final int OK = 0;
    /** Something failed. */
    public static final int FAILURE = 1;
    /** The command line is wrong. */
    public static final int USAGE = 2;
    /** The job took longer than allowed. */
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

    /**
     * The code of a process that a signal ended.
     *
     * @param signal the number of the signal.
     * @return the exit code.
     */
    public static int ofSignal(final int signal)
    {
        return SIGNAL_BASE + signal;
    }

    /**
     * Describes the end of a process. One that exits with 137 looks like one that was killed: neither Java nor shells
     * tell them apart.
     *
     * @param code the exit code.
     * @return such as "killed by SIGKILL" or "exited with code 3".
     */
    public static String describe(final int code)
    {
        final int signal = code - SIGNAL_BASE;
        return signal > 0 && signal < SIGNALS.length ? "killed by " + SIGNALS[signal] : "exited with code " + code;
    }
}
