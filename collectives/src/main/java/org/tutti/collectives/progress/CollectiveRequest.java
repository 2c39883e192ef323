/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.wireup.PooledDataBuffer;

/** A request of a collective call. */
public final class CollectiveRequest extends ProgressRequest
{
    /** Next request in the queue. */
    CollectiveRequest next;

    private final CollectiveCall call;

    /**
     * Creates a request that is not started.
     *
     * @param owner        owner of the request.
     * @param call         checked and planned call, owned by the request from now on.
     * @param timeoutNs    timeout of each wait in nanoseconds.
     * @param isPersistent whether the request keeps its buffers when it is done.
     */
    CollectiveRequest(
        final RequestProgress owner, final CollectiveCall call, final long timeoutNs, final boolean isPersistent)
    {
        super(owner, timeoutNs, isPersistent);
        this.call = call;
        useBuffers(1);
    }

    @Override
    protected void useBuffers(final int change)
    {
        use(call.input(), change);
        use(call.output(), change);
    }

    private static void use(final PooledDataBuffer buffer, final int change)
    {
        if (buffer != null)
        {
            buffer.use(change);
        }
    }

    CollectiveCall call()
    {
        return call;
    }
}
