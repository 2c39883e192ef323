/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.endpoint.Immediate;
import org.tutti.collectives.fault.ClosedPeers;
import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.wireup.Team;

/** Counts the messages of schedules. */
final class CallWorker extends Worker
{
    private final ArrivalCounters arrivals;
    private final ClosedPeers closedPeers;
    private final Diagnosis diagnosis;

    /**
     * Creates the worker of a communicator.
     *
     * @param arrivals    counters of messages of schedules.
     * @param closedPeers registry of peers that have closed.
     * @param diagnosis   diagnosis of the communicator.
     */
    CallWorker(
        final Team team, final ArrivalCounters arrivals, final ClosedPeers closedPeers, final Diagnosis diagnosis)
    {
        super(team, closedPeers, diagnosis);
        this.arrivals = arrivals;
        this.closedPeers = closedPeers;
        this.diagnosis = diagnosis;
    }

    @Override
    protected void deliver(
        final int peer, final int immediate, final long length, final long sequence, final long oldest,
        final long last)
    {
        final int channel = Immediate.channel(immediate);
        if (channel == Immediate.CLOSE_CHANNEL)
        {
            deliverOther(peer, immediate, sequence);
            return;
        }
        if (channel == Immediate.READY_CHANNEL)
        {
            requireAgreement(arrivals.addReady(peer, immediate), peer, sequence);
            return;
        }
        final long round = oldest + ((Immediate.round(immediate) - (int)oldest) & Immediate.ROUND_MASK);
        requireAgreement(round <= last, peer, sequence);
        arrivals.add(round, peer, channel, Immediate.fingerprint(immediate), length);
    }

    private void requireAgreement(final boolean agrees, final int peer, final long sequence)
    {
        if (!agrees)
        {
            closedPeers.requireNone(sequence);
            throw diagnosis.mismatch(sequence, peer);
        }
    }

    @Override
    protected void closed(final int peer, final int immediate, final long sequence)
    {
        closedPeers.add(peer, Immediate.calls(immediate, sequence));
    }
}
