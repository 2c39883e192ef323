/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.device;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.rdma.tcp.TcpProvider;

/** The secret by which connections over tcp prove that they belong to the job: rank 0 draws it. Stateless. */
final class ConnectionSecret
{
    private static final String KEY = "tcp.secret";
    private static final long TIMEOUT_NS = 60_000_000_000L;

    private ConnectionSecret()
    {
    }

    static byte[] of(final Bootstrap bootstrap)
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
        final byte[] secret = TcpProvider.randomSecret();
        bootstrap.put(KEY, secret);
        return secret;
    }
}
