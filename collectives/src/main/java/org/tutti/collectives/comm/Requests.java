/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.Request;
import org.tutti.collectives.progress.TimedRequest;
import org.tutti.collectives.util.Backoff;

/** Operations on several requests. */
public final class Requests
{
    private static final int ATTEMPTS_PER_CHECK = 256;

    private Requests()
    {
    }

    /**
     * See {@link Request#awaitAny}.
     *
     * @param requests requests, at least one.
     * @return index of a request that is done.
     */
    public static int awaitAny(final Request... requests)
    {
        if (requests.length == 0)
        {
            throw new IllegalArgumentException("no requests: pass at least one request");
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
            if (attempt % ATTEMPTS_PER_CHECK == 0)
            {
                throwIfTooLate(requests, System.nanoTime() - start);
                if (Thread.currentThread().isInterrupted())
                {
                    // Throws as any interrupted wait does, unless the request is done by now.
                    requests[0].await();
                }
            }
            Backoff.FOR_THREADS.pause(attempt);
        }
    }

    /** Throws after the longest timeout of the requests: until then one of them may still complete. */
    private static void throwIfTooLate(final Request[] requests, final long elapsedNs)
    {
        TimedRequest longest = (TimedRequest)requests[0];
        for (final Request request : requests)
        {
            final TimedRequest candidate = (TimedRequest)request;
            longest = candidate.timeoutNs() > longest.timeoutNs() ? candidate : longest;
        }
        if (elapsedNs > longest.timeoutNs())
        {
            longest.await();
        }
    }
}
