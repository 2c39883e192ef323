/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.reduce.Reducer;
import org.tutti.collectives.schedule.Collective;

/**
 * Everything that can be settled about a call before its buffers are known.
 *
 * @param call         what is called.
 * @param inPlace      whether INPUT and OUTPUT are the same.
 * @param fingerprint  of the call.
 * @param synchronizes whether no rank can end it before all have begun it.
 * @param schedule     to execute.
 * @param reducer      of its REDUCE steps, or null.
 */
record Plan(
    CallDescription call,
    boolean inPlace,
    int fingerprint,
    boolean synchronizes,
    BoundSchedule schedule,
    Reducer reducer)
{
    boolean isFor(
        final Collective collective, final DataType type, final ReduceOp op,
        final long count, final int root, final boolean isInPlace)
    {
        return call.count() == count && call.collective() == collective && call.type() == type && call.op() == op &&
            call.root() == root && inPlace == isInPlace;
    }
}
