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

    /** Throws if a message arrived for a round that ends, or has ended, and was not waited for. */
    void requireAllAwaited(final long sequence, final long round)
    {
        final int peer = arrivals.unawaited(round);
        if (peer >= 0)
        {
            throw diagnosis.mismatch(sequence, peer);
        }
    }

    /**
     * Announces to all peers that this rank has made its last call.
     *
     * @param sequence number of that call.
     * @param round    round of that call.
     */
    void announce(final long sequence, final long round)
    {
        worker.closing();
        control.close(sequence + 1);
        worker.pollAll(sequence, round);
        requireAllAwaited(sequence, round);
        closedPeers.announce(sequence + 1, round);
        worker.pollAll(sequence, round);
    }

    /**
     * Checks that all ranks have made the same calls.
     *
     * @param sequence number of this rank's last call.
     * @param round    round of that call.
     * @param calls    number of calls of each rank.
     */
    void check(final long sequence, final long round, final long[] calls)
    {
        worker.pollAll(sequence, round);
        requireAllAwaited(sequence, round);
        final int sender = worker.untaken();
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
