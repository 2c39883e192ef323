/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.endpoint.ControlBlock;
import org.tutti.collectives.fault.ClosedPeers;
import org.tutti.collectives.fault.Diagnosis;

/**
 * The close protocol: each rank sends its peers the number of calls it has made; when all have, each checks that the
 * others made the same number. Not thread-safe.
 */
final class CloseHandshake
{
    private final Worker worker;
    private final ArrivalCounters arrivals;
    private final ControlBlock control;
    private final ClosedPeers closedPeers;
    private final Diagnosis diagnosis;

    CloseHandshake(
        final Worker worker, final ArrivalCounters arrivals, final ControlBlock control, final ClosedPeers closedPeers,
        final Diagnosis diagnosis)
    {
        this.worker = worker;
        this.arrivals = arrivals;
        this.control = control;
        this.closedPeers = closedPeers;
        this.diagnosis = diagnosis;
    }

    /** Throws if a message has arrived for the round of a call that ends, and no step has waited for it. */
    void requireAllAwaited(final CallInProgress call)
    {
        final int peer = call.isRound ? arrivals.unawaited(call.round) : -1;
        if (peer >= 0)
        {
            throw diagnosis.mismatch(call.sequence, peer);
        }
    }

    /**
     * Announces to all peers that this rank has made its last call.
     *
     * @param sequence number of that call.
     * @param next     round of the next call.
     * @param last     last round with a free slot.
     */
    void announce(final long sequence, final long next, final long last)
    {
        worker.closing();
        control.close(sequence + 1);
        worker.pollAll(sequence, next, last);
        closedPeers.announce(sequence + 1, next - 1);
        worker.pollAll(sequence, next, last);
    }

    /**
     * Checks that all ranks have made the same calls.
     *
     * @param sequence number of this rank's last call.
     * @param next     round of the next call.
     * @param last     last round with a free slot.
     * @param calls    number of calls of each rank.
     */
    void check(final long sequence, final long next, final long last, final long[] calls)
    {
        worker.pollAll(sequence, next, last);
        final int unawaited = arrivals.unawaited();
        final int sender = unawaited >= 0 ? unawaited : worker.untaken();
        if (sender >= 0)
        {
            throw diagnosis.mismatch(sequence, sender);
        }
        for (int peer = 0; peer < calls.length; peer++)
        {
            closedPeers.add(peer, calls[peer]);
        }
        closedPeers.requireNone(sequence);
    }
}
