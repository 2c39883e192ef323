/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

/** A thread that waits in the bootstrap, where only an interrupt reaches it. Thread-safe. */
final class Gathering
{
    private Thread thread;
    /** Whether the interrupt is that of {@link #interrupt}, and not one of the user's. */
    private boolean interrupted;

    /** This thread, which has entered, begins to wait there. */
    synchronized void begin()
    {
        thread = Thread.currentThread();
    }

    /** It waits no more. */
    synchronized void end()
    {
        thread = null;
        if (interrupted)
        {
            // It was for the call that is over now.
            Thread.interrupted();
        }
    }

    /** Ends the wait, if there is one. */
    synchronized void interrupt()
    {
        if (thread != null)
        {
            interrupted |= !thread.isInterrupted();
            thread.interrupt();
        }
    }
}
