/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Turns the signals that end a launcher into events of its job. By {@code sun.misc.Signal}, as Java has no supported
 * way: a shutdown hook would not see the second Ctrl-C.
 */
final class TerminationSignals
{
    private static final String[] NAMES = {"HUP", "INT", "TERM"};

    private static final Map<Signal, SignalHandler> PREVIOUS = new HashMap<>();

    private TerminationSignals()
    {
    }

    /** From now on these signals end the job and not this process. One that is ignored, as under nohup, stays so. */
    static void handle(final BlockingQueue<JobEvent> events)
    {
        for (final String name : NAMES)
        {
            final Signal handled = new Signal(name);
            PREVIOUS.put(handled, Signal.handle(handled, signal -> events.add(
                new JobEvent.Signalled(signal.getName(), signal.getNumber()))));
        }
    }

    /** From now on these signals end this process as they did before: there is no job to end. */
    static void restore()
    {
        PREVIOUS.forEach(Signal::handle);
        PREVIOUS.clear();
    }
}
