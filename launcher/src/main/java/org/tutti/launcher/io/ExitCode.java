/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

/** Exit codes of the command line, as used by shells, {@code timeout} and mpirun. */
public final class ExitCode
{
    /** All ranks succeeded. */
    public static final int OK = 0;
    /** A failure. */
    public static final int FAILURE = 1;
    /** A command-line error. */
    public static final int USAGE = 2;
    /** The job exceeded its timeout. */
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
     * Returns the exit code of a process that a signal killed.
     *
     * @param signal the number of the signal.
     * @return the exit code.
     */
    public static int ofSignal(final int signal)
    {
        return SIGNAL_BASE + signal;
    }

    /**
     * Describes the end of a process. Neither Java nor shells distinguish an exit with code 137 from being killed.
     *
     * @param code the exit code.
     * @return the description, such as "killed by SIGKILL" or "exited with code 3".
     */
    public static String describe(final int code)
    {
        final int signal = code - SIGNAL_BASE;
        return signal > 0 && signal < SIGNALS.length ? "killed by " + SIGNALS[signal] : "exited with code " + code;
    }
}
