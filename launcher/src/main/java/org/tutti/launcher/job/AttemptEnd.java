/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.Set;

import org.tutti.launcher.agent.HostsLostException;
import org.tutti.launcher.io.Console;
import org.tutti.launcher.io.ExitCode;

/**
 * How one start of a job ended. Exactly one of the components is not null.
 *
 * @param control the control of a job whose ranks were started.
 * @param signal  the signal that ended the start of the hosts.
 * @param loss    the loss of hosts before ranks were started.
 */
record AttemptEnd(JobControl control, JobEvent.Signalled signal, HostsLostException loss)
{
    static AttemptEnd of(final JobControl control)
    {
        return new AttemptEnd(control, null, null);
    }

    static AttemptEnd of(final JobEvent.Signalled signal)
    {
        return new AttemptEnd(null, signal, null);
    }

    static AttemptEnd of(final HostsLostException loss)
    {
        return new AttemptEnd(null, null, loss);
    }

    /** Returns whether the job may be started again. */
    boolean isRestartable()
    {
        return loss != null || (control != null && control.outcome().isRestartable());
    }

    /** Returns whether no rank was started, as a host could not be reached. */
    boolean isUnreachable()
    {
        return loss != null;
    }

    /** Returns the names of the hosts that were lost. */
    Set<String> lostHosts()
    {
        return loss != null ? loss.hosts() : control != null ? control.outcome().lostHosts() : Set.of();
    }

    /**
     * Prints the failure, if there was one that is not reported yet.
     *
     * @param console the console.
     * @param more    what follows the failure on its line.
     */
    void report(final Console console, final String more)
    {
        final String text = loss != null ? "tutti: " + loss.getMessage() + more :
            control != null ? control.outcome().report(more) : null;
        if (text != null)
        {
            console.say(text);
        }
    }

    /** Waits until the messages of the launcher are written; returns the exit code. */
    int code(final Console console) throws InterruptedException
    {
        if (control != null)
        {
            return control.awaitOutput(console::awaitMessages);
        }
        return signal != null ? ExitCode.ofSignal(signal.number()) : ExitCode.FAILURE;
    }
}
