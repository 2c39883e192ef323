/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/** What a host knows of a process that is silent. */
public enum ProcessState
{
    /** By SIGSTOP, Ctrl-Z or a debugger. */
    STOPPED("is stopped"),
    /** Only threads of the garbage collector and of the JVM itself use processor time. */
    COLLECTING("is paused for a garbage collection"),
    /** Its threads use processor time. */
    RUNNING("is running"),
    /** It is there, and hardly uses processor time. */
    IDLE("is idle"),
    /** It has ended. */
    GONE("has ended");

    private final String words;

    ProcessState(final String words)
    {
        this.words = words;
    }

    /**
     * As people read it, after the process.
     *
     * @return a verb and what follows, such as "is stopped".
     */
    public String words()
    {
        return words;
    }
}
