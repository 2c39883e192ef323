/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A node that has proved the secret, and waits for the start of the job.
 *
 * @param request its request.
 * @param channel the connection to it.
 */
record AdmittedNode(NodeRequest request, NodeChannel channel)
{
    private static final long PROBE_TIMEOUT_MS = 5_000;
    /** The answer may have arrived already when the time is up. */
    private static final long MIN_PROBE_MS = 100;

    String describe()
    {
        return request.host() + " (" + channel.peerAddress() + ", process " + request.pid() + ")";
    }

    /** Requests a sign of life: a host that has lost power does not end its connections. */
    void probe()
    {
        synchronized (channel)
        {
            try
            {
                NodeRequest.answer(channel.output(), NodeRequest.PROBE);
            }
            catch (final IOException ex)
            {
                // There will be no answer.
                channel.close();
            }
        }
    }

    /**
     * Waits for the answer to a probe.
     *
     * @param probedNs the time of the probe, as {@link System#nanoTime()} gave it.
     * @return whether the node answers in time.
     */
    boolean answers(final long probedNs)
    {
        synchronized (channel)
        {
            final long sinceMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - probedNs);
            try
            {
                channel.limitReads(Math.max(MIN_PROBE_MS, PROBE_TIMEOUT_MS - sinceMs));
                return NodeRequest.readAnswer(channel.input()).equals(NodeRequest.PROBE);
            }
            catch (final IOException ex)
            {
                return false;
            }
        }
    }
}
