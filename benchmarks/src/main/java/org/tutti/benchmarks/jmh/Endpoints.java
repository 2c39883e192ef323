/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.jmh;

import org.tutti.benchmarks.verbs.MeasuredPort;
import org.tutti.benchmarks.verbs.RcEndpoint;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.select.PeerLocation;

/** Two connected RC endpoints in this process. */
record Endpoints(RcEndpoint near, RcEndpoint far) implements AutoCloseable
{
    static final int DEPTH = 128;
    private static final int LENGTH = 8;
    private static final int MAX_INLINE = 64;

    /**
     * Opens and connects two endpoints.
     *
     * @param transport the provider; both endpoints use its best port.
     * @return the endpoints, owned by the caller.
     */
    static Endpoints connect(final String transport)
    {
        final MeasuredPort port = MeasuredPort.choose(RdmaProvider.load(transport), 0, PeerLocation.THIS_HOST);
        final RcEndpoint near = new RcEndpoint(port, DEPTH, 1, LENGTH, MAX_INLINE);
        final RcEndpoint far = new RcEndpoint(port, DEPTH, 1, LENGTH, MAX_INLINE);
        near.connect(far.address());
        far.connect(near.address());
        return new Endpoints(near, far);
    }

    @Override
    public void close()
    {
        near.close();
        far.close();
    }
}
