/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.store.DurationFormat;

/** Looks up the name of the coordinator's host, which Kubernetes publishes only after it has started the pod. */
final class LateName
{
    private static final long RETRY_MS = 200;

    static
    {
        // By default, a JVM does not ask again for ten seconds.
        Security.setProperty("networkaddress.cache.negative.ttl", "1");
    }

    private LateName()
    {
    }

    /** Returns the address of a host, or throws if the name service does not know the name now. */
    static InetAddress find(final String host) throws UnknownHostException
    {
        return InetAddress.getByName(host);
    }

    /**
     * Waits until the name service knows a host, and prints that it waits.
     *
     * @throws UnknownHostException if the timeout expires; the message names the fix.
     * @throws InterruptedException if the thread is interrupted.
     */
    static InetAddress await(final String host, final long timeoutNs) throws UnknownHostException, InterruptedException
    {
        final long startNs = System.nanoTime();
        boolean isReported = false;
        while (true)
        {
            try
            {
                return find(host);
            }
            catch (final UnknownHostException ex)
            {
                final String problem = "the name service does not know " + host;
                final String time = DurationFormat.format(timeoutNs);
                if (!isReported)
                {
                    System.err.println("tutti: " + problem + ", the host of --coordinator: trying again for " + time);
                    isReported = true;
                }
                if (System.nanoTime() - startNs >= timeoutNs)
                {
                    final UnknownHostException last = new UnknownHostException(problem + " after " + time +
                        ": give a name of this host, or raise TUTTI_JOIN_TIMEOUT");
                    last.initCause(ex);
                    throw last;
                }
            }
            TimeUnit.MILLISECONDS.sleep(RETRY_MS);
        }
    }
}
