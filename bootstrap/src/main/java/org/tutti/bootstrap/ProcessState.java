/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/** The state of a silent process, as observed on its host. */
public enum ProcessState
{
    /** Stopped by SIGSTOP, Ctrl-Z or a debugger. */
    STOPPED("is stopped"),
    /** Only threads of the garbage collector and of the JVM itself use CPU time. */
    COLLECTING("is paused for a garbage collection"),
    /** Threads of the program use CPU time. */
    RUNNING("is running"),
    /** The process exists, but hardly uses CPU time. */
    IDLE("is idle"),
    /** The process has ended. */
    GONE("has ended");

    private final String words;

    ProcessState(final String words)
    {
        this.words = words;
    }

    /**
     * Returns the state as the predicate of a message.
     *
     * @return the predicate, such as "is stopped".
     */
    public String words()
    {
        return words;
    }
}
