/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.List;
import java.util.function.ObjLongConsumer;

import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.ProcessState;
import org.tutti.bootstrap.ProcessStates;

/**
 * Watches the heartbeats of members, and the processes of ranks: a silent member has not failed as long as its process
 * exists. Used only by the coordinator's thread.
 */
final class MemberWatch
{
    private final CoordinatorContext context;
    private final List<Member> members;
    private final StoreService store;
    private final ObjLongConsumer<Member> onSilence;
    private final ProcessStates processes = new ProcessStates();

    /**
     * Creates a watch of members.
     *
     * @param context   the context of the job.
     * @param members   the known members, which may change between calls.
     * @param store     the store for the states of processes.
     * @param onSilence called with a member that has failed or was never authenticated, and its silence in nanoseconds;
     *                  must remove that member from {@code members}.
     */
    MemberWatch(
        final CoordinatorContext context,
        final List<Member> members,
        final StoreService store,
        final ObjLongConsumer<Member> onSilence)
    {
        this.context = context;
        this.members = members;
        this.store = store;
        this.onSilence = onSilence;
    }

    /** Checks for members that have been silent for too long. */
    void check(final long nowNs)
    {
        // Backwards, as silent members are removed, and without a copy of the list, as this runs ten times a second.
        for (int i = members.size() - 1; i >= 0; i--)
        {
            final Member member = members.get(i);
            final long silenceNs = member.silenceNs(nowNs);
            if (member.isJoined())
            {
                checkStopped(member, nowNs);
            }
            if (member.hasJoined() && silenceNs > context.heartbeatTimeoutNs() / 2 && exists(member))
            {
                // The process exists, but may be stopped, or paused for a garbage collection: the timeout restarts when
                // it resumes.
                member.seenNs = nowNs;
            }
            else if (silenceNs > silenceLimitNs(member))
            {
                onSilence.accept(member, silenceNs);
            }
        }
    }

    /**
     * Returns whether the process of a silent member exists: observed on this host, or reported by the agent of
     * another.
     */
    private boolean exists(final Member member)
    {
        if (member.process == null)
        {
            final ProcessState reported = processes.get(member.memberId);
            return reported != null && reported != ProcessState.GONE;
        }
        return member.process.isAlive();
    }

    /** Checks the process of a member on this host if it has missed heartbeats, or was stopped. */
    void checkStopped(final Member member, final long nowNs)
    {
        final boolean wasStopped = processes.get(member.memberId) == ProcessState.STOPPED;
        if (member.process != null &&
            (wasStopped || nowNs - member.heardNs > 2 * Protocol.HEARTBEAT_INTERVAL_NS) &&
            member.process.isStopped() != wasStopped)
        {
            onProcessState(member.memberId, member.pid, wasStopped ? ProcessState.RUNNING : ProcessState.STOPPED);
        }
    }

    /** Stores the state of a rank's process, as reported by its host, for the other ranks. */
    void onProcessState(final int rank, final long pid, final ProcessState state)
    {
        if (processes.set(rank, pid, state))
        {
            store.put(ProcessStates.KEY, processes.encode());
        }
    }

    private long silenceLimitNs(final Member member)
    {
        return member.hasJoined() ?
            context.heartbeatTimeoutNs() : Math.min(Admission.UNPROVEN_TIMEOUT_NS, context.heartbeatTimeoutNs());
    }
}
