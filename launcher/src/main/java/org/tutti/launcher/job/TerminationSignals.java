/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Turns the signals that end a launcher into events of its job. Uses {@code sun.misc.Signal} for lack of a supported
 * API: a shutdown hook would not see the second Ctrl-C.
 */
final class TerminationSignals
{
    private static final String[] NAMES = {"HUP", "INT", "TERM"};

    private static final Map<Signal, SignalHandler> PREVIOUS = new HashMap<>();

    private TerminationSignals()
    {
    }

    /**
     * Makes SIGHUP, SIGINT and SIGTERM end the job instead of this process. A signal that is ignored, as under nohup,
     * stays ignored.
     */
    static void handle(final Consumer<JobEvent.Signalled> onSignal)
    {
        for (final String name : NAMES)
        {
            final Signal handled = new Signal(name);
            PREVIOUS.put(handled, Signal.handle(handled, signal -> onSignal.accept(
                new JobEvent.Signalled(signal.getName(), signal.getNumber()))));
        }
    }

    /** Restores the previous handlers: there is no job left to end. */
    static void restore()
    {
        PREVIOUS.forEach(Signal::handle);
        PREVIOUS.clear();
    }
}
