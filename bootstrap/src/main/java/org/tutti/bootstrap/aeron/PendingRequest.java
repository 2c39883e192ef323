/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.BootstrapRequest;
import org.tutti.bootstrap.BootstrapTimeoutException;
import org.tutti.bootstrap.codec.ReplyCode;
import org.tutti.bootstrap.store.DurationFormat;

/** A request whose caller waits for it, or tests it; completed by the thread that receives the reply. */
final class PendingRequest implements BootstrapRequest
{
    private static final long LONGEST_PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** The additional time for the answer to an expired request, if the coordinator is alive. */
    private static final long ANSWER_GRACE_NS = TimeUnit.SECONDS.toNanos(10);

    private final MemberClient client;
    private final Thread caller = Thread.currentThread();
    private final long startNs = System.nanoTime();
    private boolean wasInterrupted;
    private byte[] value;
    private volatile ReplyCode status;

    PendingRequest(final MemberClient client)
    {
        this.client = client;
    }

    void complete(final ReplyCode replyStatus, final byte[] replyValue)
    {
        value = replyValue;
        status = replyStatus;
        LockSupport.unpark(caller);
    }

    /**
     * Waits for the answer.
     *
     * @param timeoutNs    the maximum time to wait, in nanoseconds; up to 10 s longer if the coordinator is alive.
     * @param patienceNs   the time after which an interrupt ends the wait, in nanoseconds.
     * @param outlastsStop whether the timeout restarts when a stopped coordinator resumes.
     */
    void await(final long timeoutNs, final long patienceNs, final boolean outlastsStop)
    {
        final MemberContext context = client.context();
        long waitingSinceNs = System.nanoTime();
        while (!isComplete())
        {
            client.checkOpen();
            if (isInterrupted(patienceNs))
            {
                throw BootstrapInterruptedException.of(context.name(), patienceNs == 0 ?
                    "it waited for other ranks" : "it waited for the coordinator of job '" + context.jobId() + "'");
            }
            final long lateNs = System.nanoTime() - waitingSinceNs - timeoutNs;
            if (lateNs >= 0 && outlastsStop && client.coordinator().isStopped())
            {
                waitingSinceNs = System.nanoTime();
            }
            else if (lateNs >= 0)
            {
                requireAnsweringCoordinator(timeoutNs, lateNs);
            }
            // With a timeout, as failures do not unpark this thread.
            LockSupport.parkNanos(this, LONGEST_PARK_NS);
        }
    }

    /** Requires the coordinator to be alive: then a late answer is worth waiting for, as it names the missing ranks. */
    private void requireAnsweringCoordinator(final long timeoutNs, final long lateNs)
    {
        final String problem = client.coordinator().problem();
        if (problem != null || lateNs >= ANSWER_GRACE_NS)
        {
            throw new BootstrapTimeoutException("no answer from the coordinator of job '" + client.context().jobId() +
                "' within " + DurationFormat.format(timeoutNs) + (problem == null ? "" : ": " + problem));
        }
    }

    /** Returns whether the caller was interrupted, and has waited for {@code patienceNs}. */
    private boolean isInterrupted(final long patienceNs)
    {
        // A thread does not park while its interrupt status is set.
        wasInterrupted |= Thread.interrupted();
        return wasInterrupted && System.nanoTime() - startNs >= patienceNs;
    }

    /** Restores the interrupt status of the caller. */
    void end()
    {
        if (wasInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    boolean isComplete()
    {
        return status != null;
    }

    @Override
    public boolean test()
    {
        if (status == null)
        {
            client.checkOpen();
        }
        return status != null;
    }

    @Override
    public byte[] value()
    {
        return switch (status)
        {
            case OK -> value;
            case ABSENT -> null;
            case TIMED_OUT -> throw new BootstrapTimeoutException(new String(value, StandardCharsets.UTF_8));
            case REFUSED, NULL_VAL -> throw new BootstrapException(new String(value, StandardCharsets.UTF_8));
        };
    }
}
