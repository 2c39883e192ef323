/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.endpoint.CallDescription;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.reduce.Reducer;
import org.tutti.collectives.reduce.Scaler;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Objects;

/**
 * The plan of a call: everything that does not depend on its buffers.
 *
 * @param call         description of the call.
 * @param request      request from which the schedule was generated.
 * @param type         type of the elements, or null.
 * @param op           operation of a reduction, or null.
 * @param count        count that the caller requested; if ranks pass counts of their own, that of this rank.
 * @param inPlace      whether the schedule works in place: INPUT and OUTPUT share memory.
 * @param fingerprint  fingerprint of the call.
 * @param blocks       requested blocks; null if they have equal lengths.
 * @param received     requested blocks to receive.
 * @param isRound      whether ranks send any message.
 * @param synchronizes whether no rank can complete the call before all have begun it.
 * @param isShort      whether, on all ranks, every payload fits into a message, and all data written to SCRATCH into a
 *                     slot.
 * @param needsHalf    whether the call needs a half of SCRATCH rather than a slot; the same on all ranks.
 * @param schedule     schedule to execute.
 * @param reducer      reducer of its REDUCE steps, or null.
 * @param scaler       scaler of INPUT before the schedule begins, or null.
 */
public record Plan(
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
    boolean needsHalf,
    BoundSchedule schedule,
    Reducer reducer,
    Scaler scaler)
{
    /** Returns this plan with another description and its fingerprint. */
    public Plan describedAs(final CallDescription description)
    {
        return new Plan(description, request, type, op, count, inPlace, description.fingerprint(), blocks, received,
            isRound, synchronizes, isShort, needsHalf, schedule, reducer, scaler);
    }

    /** Returns whether short blocks are sent eagerly on all ranks, so that no rank waits for a READY. */
    boolean carriesBlocks()
    {
        return request.eager() > 0;
    }

    /** As {@link #isFor}, but compares references: faster, and false for arguments that are equal but not identical. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(final CollectiveCall asked, final boolean isInPlace)
    {
        return count == asked.count() && type == asked.type() && op == asked.op() && blocks == asked.blocks() &&
            received == asked.received() && inPlace == isInPlace && call.root() == asked.root() &&
            call.collective() == asked.collective();
    }

    boolean isFor(final CollectiveCall asked, final boolean isInPlace)
    {
        return count == asked.count() && call.collective() == asked.collective() && call.root() == asked.root() &&
            inPlace == isInPlace && Objects.equals(type, asked.type()) && Objects.equals(op, asked.op()) &&
            Objects.equals(blocks, asked.blocks()) && Objects.equals(received, asked.received());
    }
}
