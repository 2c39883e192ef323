/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.Request;
import org.tutti.collectives.progress.TimedRequest;
import org.tutti.collectives.util.Backoff;

/** What takes several requests at once. */
public final class Requests
{
    private static final int ATTEMPTS_PER_LOOK = 256;

    private Requests()
    {
    }

    /**
     * See {@link Request#awaitAny}.
     *
     * @param requests requests, at least one.
     * @return an index.
     */
    public static int awaitAny(final Request... requests)
    {
        if (requests.length == 0)
        {
            throw new IllegalArgumentException("no requests: give at least one");
        }
        final long start = System.nanoTime();
        for (int attempt = 0;; attempt++)
        {
            for (int i = 0; i < requests.length; i++)
            {
                if (requests[i].test())
                {
                    return i;
                }
            }
            if (attempt % ATTEMPTS_PER_LOOK == 0)
            {
                throwIfTooLate(requests, System.nanoTime() - start);
                if (Thread.currentThread().isInterrupted())
                {
                    // Fails as any wait does, unless it is done by now.
                    requests[0].await();
                }
            }
            Backoff.FOR_THREADS.pause(attempt);
        }
    }

    /** By the longest timeout, for as long as one may still be done. */
    private static void throwIfTooLate(final Request[] requests, final long elapsedNs)
    {
        TimedRequest patient = (TimedRequest)requests[0];
        for (final Request request : requests)
        {
            final TimedRequest candidate = (TimedRequest)request;
            patient = candidate.timeoutNs() > patient.timeoutNs() ? candidate : patient;
        }
        if (elapsedNs > patient.timeoutNs())
        {
            patient.await();
        }
    }
}
