/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.reduce.Reducer;
import org.tutti.collectives.reduce.Scaler;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Objects;

/**
 * Everything that can be settled about a call before its buffers are known.
 *
 * @param call         what is called.
 * @param request      what the schedule is for.
 * @param type         of the elements, or null.
 * @param op           of a reduction, or null.
 * @param count        as asked for, which may be this rank's own.
 * @param inPlace      whether INPUT and OUTPUT are the same.
 * @param fingerprint  of the call.
 * @param blocks       as asked for: null for those of one length.
 * @param received     as asked for.
 * @param isRound      whether ranks send anything.
 * @param synchronizes whether no rank can end it before all have begun it.
 * @param isShort      whether messages can carry all that is sent, on all ranks.
 * @param schedule     to execute.
 * @param reducer      of its REDUCE steps, or null.
 * @param scaler       what multiplies INPUT before the schedule begins, or null.
 */
record Plan(
    CallDescription call,
    ScheduleRequest request,
    DataType type,
    ReduceOp op,
    long count,
    boolean inPlace,
    int fingerprint,
    Blocks blocks,
    Blocks received,
    boolean isRound,
    boolean synchronizes,
    boolean isShort,
    BoundSchedule schedule,
    Reducer reducer,
    Scaler scaler)
{
    /** Whether short blocks go with first messages, on all ranks: then none asks whether a peer has begun. */
    boolean carriesBlocks()
    {
        return request.eager() > 0;
    }

    /** Whether it is for these very objects: as good as {@link #isFor}, and sooner answered, where it is true. */
    @SuppressWarnings({"checkstyle:ParameterNumber", "ReferenceEquality"})
    boolean isOf(
        final Collective collective, final DataType ofType, final ReduceOp byOp,
        final long ofCount, final int root, final boolean isInPlace, final Blocks ofBlocks, final Blocks toReceive)
    {
        return count == ofCount && type == ofType && op == byOp && blocks == ofBlocks && received == toReceive &&
            inPlace == isInPlace && call.root() == root && call.collective() == collective;
    }

    @SuppressWarnings("checkstyle:ParameterNumber")
    boolean isFor(
        final Collective collective, final DataType ofType, final ReduceOp byOp,
        final long ofCount, final int root, final boolean isInPlace, final Blocks ofBlocks, final Blocks toReceive)
    {
        return count == ofCount && call.collective() == collective && call.root() == root && inPlace == isInPlace &&
            Objects.equals(type, ofType) && Objects.equals(op, byOp) &&
            Objects.equals(blocks, ofBlocks) && Objects.equals(received, toReceive);
    }
}
