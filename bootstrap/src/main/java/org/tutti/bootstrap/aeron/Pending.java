/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapTimeoutException;
import org.tutti.bootstrap.codec.ReplyStatus;

/** A request that the thread which makes it waits for; completed by the one that receives the reply. */
final class Pending
{
    private static final long LONGEST_PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Thread waiter = Thread.currentThread();
    private final long startNs = System.nanoTime();
    private boolean wasInterrupted;
    private byte[] value;
    private volatile ReplyStatus status;

    void complete(final ReplyStatus replyStatus, final byte[] replyValue)
    {
        value = replyValue;
        status = replyStatus;
        LockSupport.unpark(waiter);
    }

    /** Whether the waiter was interrupted, and has waited that long. */
    boolean isInterrupted(final long patienceNs)
    {
        // Nothing parks while the interrupt status is set.
        wasInterrupted |= Thread.interrupted();
        return wasInterrupted && System.nanoTime() - startNs >= patienceNs;
    }

    /** The waiter parks until it is completed, or for a moment, as failures do not unpark it. */
    void park()
    {
        LockSupport.parkNanos(this, LONGEST_PARK_NS);
    }

    /** The waiter has its interrupt status back. */
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

    /** The answer, null if the store has none; throws what the coordinator said is wrong. */
    byte[] result()
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
