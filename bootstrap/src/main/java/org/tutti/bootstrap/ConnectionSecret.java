/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/**
 * The secret by which connections between ranks, such as those of the provider {@code tcp}, prove that they belong to
 * the job. Rank 0 draws it and publishes it by the bootstrap. Stateless.
 */
public final class ConnectionSecret
{
    private static final String KEY = "connection.secret";
    private static final long TIMEOUT_NS = 60_000_000_000L;

    private ConnectionSecret()
    {
    }

    /**
     * Returns the job's secret; waits for rank 0, which must call this too.
     *
     * @param bootstrap the bootstrap of the job.
     * @return the secret, {@link JobSecret#NONCE_LENGTH} bytes, the same at all ranks.
     * @throws BootstrapTimeoutException if rank 0 does not publish the secret within 60 s.
     */
    public static byte[] of(final Bootstrap bootstrap)
    {
        if (bootstrap.rank() != 0)
        {
            return bootstrap.await(KEY, TIMEOUT_NS);
        }
        final byte[] known = bootstrap.get(KEY);
        if (known != null)
        {
            return known;
        }
        final byte[] secret = JobSecret.nonce();
        bootstrap.put(KEY, secret);
        return secret;
    }
}
