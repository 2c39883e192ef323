/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.schedule.Collective;

/** Calls that return a request: one that is started, or one that may be started again and again. */
final class RequestCalls extends Calls<EngineRequest>
{
    private final Session session;
    private final long timeoutNs;
    private final boolean isPersistent;

    RequestCalls(final Session session, final long timeoutNs, final boolean isPersistent)
    {
        super(session);
        this.session = session;
        this.timeoutNs = timeoutNs;
        this.isPersistent = isPersistent;
    }

    @Override
    @SuppressWarnings("checkstyle:ParameterNumber")
    EngineRequest make(
        final Collective collective, final DataType type, final ReduceOp op, final long count, final int root,
        final Blocks blocks, final Blocks received, final PooledDataBuffer in, final PooledDataBuffer out)
    {
        return session.request(
            collective, type, op, count, root, blocks, received, in, out, timeoutNs, isPersistent);
    }
}
