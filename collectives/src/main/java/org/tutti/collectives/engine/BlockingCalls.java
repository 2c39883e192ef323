/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.schedule.Collective;

/** Calls that return when this rank's part is done, or at once in a group. */
final class BlockingCalls extends Calls<Void>
{
    private final Session session;
    private final long timeoutNs;

    BlockingCalls(final Session session, final long timeoutNs)
    {
        super(session);
        this.session = session;
        this.timeoutNs = timeoutNs;
    }

    @Override
    @SuppressWarnings("checkstyle:ParameterNumber")
    Void make(
        final Collective collective, final DataType type, final ReduceOp op, final long count, final int root,
        final Blocks blocks, final Blocks received, final PooledDataBuffer in, final PooledDataBuffer out)
    {
        if (session.group().isOpenHere())
        {
            session.group().add(collective, type, op, count, root, blocks, received, in, out);
        }
        else
        {
            session.run(collective, type, op, count, root, blocks, received, in, out, timeoutNs);
        }
        return null;
    }
}
