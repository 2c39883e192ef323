/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.fault;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.wireup.Team;

/**
 * Reports long waits to the coordinator and determines which call the awaited peer is in: two ranks may wait for each
 * other in different calls. The control block of a connected peer is read by RDMA; since the peer may change it at the
 * same time, a read may be torn, so two successive reads must show a disagreement. For a peer that is not connected,
 * the record that it published through the bootstrap is read. Used by calls that have waited for longer than {@link
 * #PATIENCE_NS}; not thread-safe.
 */
public final class DesyncDetector
{
    /** Duration of a wait after which the peer is queried, in nanoseconds. */
    public static final long PATIENCE_NS = 1_000_000_000;

    private final Team team;
    private final Diagnosis diagnosis;
    private final Connection[] connections;
    private final WaitReporter waits;
    private int probedPeer = -1;
    private long probeOrdinal;
    private long suspectedSequence = -1;

    /** Creates the detector of a communicator. */
    public DesyncDetector(final Team team, final Diagnosis diagnosis)
    {
        this.team = team;
        this.diagnosis = diagnosis;
        connections = team.connections();
        waits = new WaitReporter(team, diagnosis);
    }

    /**
     * Queries the peer's current call; called repeatedly during the wait.
     *
     * @param sequence   sequence number of the call.
     * @param waitedPeer awaited peer, or -1.
     * @throws CollectiveException if the peer made another call, or has closed.
     */
    public void detect(final long sequence, final int waitedPeer)
    {
        publish(sequence);
        waits.report(sequence, waitedPeer);
        if (waitedPeer >= 0 && (connections[waitedPeer] == null || !connections[waitedPeer].isJoined()))
        {
            readBoard(sequence, waitedPeer);
        }
        else if (probedPeer < 0)
        {
            if (waitedPeer >= 0 && diagnosis.ask(waitedPeer))
            {
                probedPeer = waitedPeer;
                probeOrdinal = connections[probedPeer].byQueuePair().posted();
            }
        }
        else if (connections[probedPeer].byQueuePair().isDone(probeOrdinal))
        {
            final CollectiveException disagreement = diagnosis.disagreementOf(sequence, probedPeer);
            if (disagreement != null && suspectedSequence == sequence)
            {
                throw disagreement;
            }
            suspectedSequence = disagreement == null ? -1 : sequence;
            probedPeer = -1;
        }
    }

    private void publish(final long sequence)
    {
        try
        {
            team.board().publish();
        }
        catch (final BootstrapException jobFailed)
        {
            diagnosis.throwIfFailed(sequence);
            throw jobFailed;
        }
    }

    private void readBoard(final long sequence, final int peer)
    {
        final CollectiveException disagreement = diagnosis.publishedDisagreement(sequence, peer);
        if (disagreement != null)
        {
            throw disagreement;
        }
    }
}
