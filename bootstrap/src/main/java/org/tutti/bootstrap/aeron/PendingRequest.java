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

/** A request that its caller waits for, or tests; completed by the thread that receives the reply. */
final class PendingRequest implements BootstrapRequest
{
    private static final long LONGEST_PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** How long an answer to a request whose time is up may take to come, from a coordinator that is heard. */
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
     * @param timeoutNs    maximum time to wait, in nanoseconds; a coordinator that is heard has a little longer.
     * @param patienceNs   time after which an interrupt ends the wait, in nanoseconds.
     * @param outlastsStop whether a coordinator that is stopped has all the time again when it goes on.
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
            // Or for a moment, as failures do not unpark it.
            LockSupport.parkNanos(this, LONGEST_PARK_NS);
        }
    }

    /** A late answer is worth waiting for, as it names the missing ranks, while the coordinator is heard. */
    private void requireAnsweringCoordinator(final long timeoutNs, final long lateNs)
    {
        final String problem = client.coordinator().problem();
        if (problem != null || lateNs >= ANSWER_GRACE_NS)
        {
            throw new BootstrapTimeoutException("no answer of the coordinator of job '" + client.context().jobId() +
                "' within " + DurationFormat.format(timeoutNs) + (problem == null ? "" : ": " + problem));
        }
    }

    /** Whether the caller was interrupted, and has waited that long. */
    private boolean isInterrupted(final long patienceNs)
    {
        // Nothing parks while the interrupt status is set.
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
