/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import java.io.IOException;
import java.io.InterruptedIOException;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.JobSecret;

/**
 * A secret in PMI-2's key-value space, which the processes of a step share, and no others. A process can use PMI only
 * once, so it keeps the secret for the jobs that it joins later.
 */
final class PmiSecret
{
    private static final String KEY = "tutti-secret";

    private static String known;

    private PmiSecret()
    {
    }

    static synchronized String agree(final JobEnvironment environment, final SecretWay way)
    {
        if (known == null)
        {
            try
            {
                known = exchange(
                    new Descriptor(environment.step().pmiDescriptor(), environment.joinTimeoutNs()), environment);
            }
            catch (final InterruptedIOException ex)
            {
                if (Thread.interrupted())
                {
                    throw BootstrapInterruptedException.of(
                        "rank " + environment.rank(), "it waited for the secret of its job");
                }
                throw failure(environment, way, ex);
            }
            catch (final IOException ex)
            {
                throw failure(environment, way, ex);
            }
        }
        return known;
    }

    private static BootstrapException failure(
        final JobEnvironment environment, final SecretWay way, final IOException ex)
    {
        return new BootstrapException("rank " + environment.rank() + " on " + Hosts.local() +
            " cannot get the job's secret by PMI-2 (" + ex.getMessage() + "): check that all ranks run; " +
            way.advice(), ex);
    }

    /** Exchanges the secret over a connection. */
    static String exchange(final PmiConnection connection, final JobEnvironment environment) throws IOException
    {
        final PmiClient client = PmiClient.open(connection, environment.step().pmiJobId(), environment.rank());
        if (environment.rank() == 0)
        {
            client.put(KEY, JobSecret.generate());
        }
        client.fence();
        final String secret = client.get(KEY);
        client.close();
        return secret;
    }
}
