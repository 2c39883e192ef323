/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.store.DurationFormat;
import org.tutti.launcher.agent.AgentMessage;
import org.tutti.launcher.io.Console;
import org.tutti.launcher.io.ExitCode;

/**
 * The end of a job's output: waits until it is written after the ranks have ended, and reports output that is lost.
 * Used only by the thread that controls the job.
 */
final class OutputEnd
{
    private static final int SIGPIPE = 13;
    private static final long POLL_MS = 100;
    /** Time limit for reporting that output was truncated, in case stderr is not read either. */
    private static final long CUT_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final JobSpec spec;
    private final BlockingQueue<JobEvent> events;
    private final Console console;
    private final JobOutcome outcome;

    /** The output of all ranks that is still to be written. */
    interface PendingOutput
    {
        /** Waits at most {@code timeoutMs} milliseconds until all of it is written; returns whether it is. */
        boolean await(long timeoutMs) throws InterruptedException;
    }

    OutputEnd(
        final JobSpec spec, final BlockingQueue<JobEvent> events, final Console console, final JobOutcome outcome)
    {
        this.spec = spec;
        this.events = events;
        this.console = console;
        this.outcome = outcome;
    }

    /**
     * Waits until all output is written. If a signal or {@code --timeout} ended the job, or {@code --timeout} expires
     * during the wait, waits for the grace period only; a signal during the wait ends it at once. The rest of the
     * output is then discarded.
     *
     * @param output the output to wait for.
     * @param leftNs the time until {@code --timeout} expires, in nanoseconds; not used if the job has none.
     */
    void await(final PendingOutput output, final long leftNs) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        final long timeoutNs = timeoutNs(leftNs);
        boolean isPassed = false;
        while (!isPassed)
        {
            isPassed = output.await(POLL_MS);
            for (JobEvent event = events.poll(); event != null; event = events.poll())
            {
                if (event instanceof JobEvent.Signalled signal && !isPassed)
                {
                    cut("interrupted by SIG" + signal.name(), ExitCode.ofSignal(signal.number()));
                    return;
                }
                handle(event);
            }
            if (!isPassed && System.nanoTime() - startNs >= timeoutNs)
            {
                cut("it was not read within --grace " + DurationFormat.format(spec.graceNs()), ExitCode.TIMED_OUT);
                return;
            }
        }
    }

    private long timeoutNs(final long leftNs)
    {
        if (outcome.isOutputCut())
        {
            return CUT_TIMEOUT_NS;
        }
        if (outcome.isStopped())
        {
            return spec.graceNs();
        }
        return spec.timeoutNs() == 0 ? Long.MAX_VALUE : Math.max(0, leftNs) + spec.graceNs();
    }

    /** Handles an event after the end of all ranks: no rank is left to end, but the job may have failed. */
    private void handle(final JobEvent event)
    {
        if (event instanceof JobEvent.AgentSaid said && said.message() instanceof AgentMessage.OutputLost lost)
        {
            lost(lost);
        }
        else if (event instanceof JobEvent.Noticed notice)
        {
            console.say("tutti: " + notice.text());
        }
        else if (event instanceof JobEvent.ReaperLost lost)
        {
            fail(lost.host(), lost.cause());
        }
        else if (event instanceof JobEvent.AgentLost lost)
        {
            fail(lost.host(), "lost " + lost.host() + ", and possibly output of its ranks: " + lost.cause());
        }
    }

    private void fail(final String host, final String cause)
    {
        outcome.fail(new RankFailure(-1, host, 0, cause), ExitCode.FAILURE);
    }

    private void cut(final String cause, final int code)
    {
        outcome.end(code);
        if (outcome.outputCut())
        {
            final String blocked = console.blocked();
            console.say(
                "tutti: the job's output was truncated" + (blocked == null ? "" : " on " + blocked) + ": " + cause);
        }
    }

    /** Ends a job whose output can no longer be written, unless it is ending already. */
    void lost(final AgentMessage.OutputLost lost)
    {
        // Without a cause, it ends without a message, like a program that writes into a closed pipe.
        final boolean isPipe = lost.cause().isEmpty();
        if (outcome.end(isPipe ? ExitCode.ofSignal(SIGPIPE) : ExitCode.FAILURE) && !isPipe)
        {
            console.say("tutti: cannot write the output of rank " + lost.rank() + " to " + lost.cause());
        }
    }
}
