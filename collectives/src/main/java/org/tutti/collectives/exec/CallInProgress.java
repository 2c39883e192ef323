/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.reduce.Reducer;
import org.tutti.collectives.wireup.Team;

import static org.tutti.collectives.endpoint.Immediate.FINGERPRINT_MASK;

/**
 * The state of one call that the {@link ScheduleExecutor} executes, used again for later calls. Not thread-safe;
 * allocates nothing once it has executed the longest schedule. As in {@link CollectiveCall}, references are stored only
 * if they change.
 */
@SuppressWarnings("ReferenceEquality") // Compares references to skip stores.
final class CallInProgress
{
    final CallMemory memory;
    final ReadyExchange ready;
    final PremulBuffer premul;
    CollectiveCall call;
    BoundSchedule schedule;
    Reducer reducer;
    long sequence;
    /** The round of the call, or, if the call sends no messages and so is no round, the last round before it. */
    long round;
    boolean isRound;
    int fingerprint;
    boolean needsHalf;
    /** Index of the next step to execute. */
    int position;
    /** Index of the next final PUT whose completion is awaited. */
    int finalIndex;
    /** By step: the ordinal of a PUT. */
    long[] ordinals = {};
    boolean isConnecting;
    boolean isWireupStarted;
    /** Whether messages carry the data for peers' SCRATCH, because peers may not be ready for direct writes. */
    boolean carries;
    /** Whether the call waits for nothing but a message. */
    boolean awaitsMessage;
    /** The rank that the call waits for, or -1. */
    int waitedPeer = -1;

    CallInProgress(final Team team, final ArrivalCounters arrivals, final Diagnosis diagnosis, final SendChain chain)
    {
        memory = new CallMemory(team);
        ready = new ReadyExchange(team.connections(), arrivals, diagnosis, chain);
        premul = new PremulBuffer(team.context().pool());
    }

    /**
     * Begins a call.
     *
     * @param ofCall checked and planned call.
     * @param number number of the call.
     * @param window window in which the call begins a round, unless the call sends nothing.
     */
    void begin(final CollectiveCall ofCall, final long number, final CallWindow window)
    {
        final Plan plan = ofCall.plan();
        if (call != ofCall)
        {
            call = ofCall;
        }
        if (schedule != plan.schedule())
        {
            use(plan.schedule());
        }
        if (reducer != plan.reducer())
        {
            reducer = plan.reducer();
        }
        sequence = number;
        needsHalf = plan.needsHalf();
        // Calls without elements are no rounds, so a surplus message of one call can have the same round as the next
        // call; the number of the call tells them apart.
        fingerprint = (plan.fingerprint() + (int)number) & FINGERPRINT_MASK;
        carries = false;
        isRound = plan.isRound();
        if (isRound)
        {
            final boolean mayBeUnready = window.begin(plan.synchronizes(), needsHalf);
            carries = plan.carriesBlocks() || (mayBeUnready && plan.isShort());
            if (mayBeUnready && !carries)
            {
                ready.begin(schedule, number, window.round(), fingerprint);
            }
        }
        round = window.round();
        position = 0;
        finalIndex = 0;
        isConnecting = !schedule.isConnected;
        isWireupStarted = false;
        awaitsMessage = false;
    }

    private void use(final BoundSchedule next)
    {
        schedule = next;
        if (ordinals.length < next.stepCount)
        {
            ordinals = new long[next.stepCount];
        }
    }
}
