/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

/** Creates daemon threads with a small stack: there are several for each rank. Stateless. */
public final class DaemonThread
{
    private static final long STACK_SIZE = 1 << 17;

    private DaemonThread()
    {
    }

    /**
     * Creates a thread.
     *
     * @param name the name of the thread.
     * @param task the task of the thread.
     * @return the thread, not yet started.
     */
    public static Thread of(final String name, final Runnable task)
    {
        final Thread thread = new Thread(null, task, name, STACK_SIZE);
        thread.setDaemon(true);
        return thread;
    }
}
