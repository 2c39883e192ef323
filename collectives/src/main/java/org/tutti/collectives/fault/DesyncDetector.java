/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.fault;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.wireup.Team;

/**
 * Tells the coordinator that a call waits for long, and finds out which call the peer that it waits for is in: two
 * ranks may wait for each other in different calls. A connected peer is read by RDMA; as the peer goes on meanwhile, a
 * read may be torn, so two that are equal are needed. Of any other peer the record that it published is read. For calls
 * that wait for long; not thread-safe.
 */
public final class DesyncDetector
{
    /** How long a call waits before the peer is asked, in nanoseconds. */
    public static final long PATIENCE_NS = 1_000_000_000;

    private final Team team;
    private final Diagnosis diagnosis;
    private final Connection[] connections;
    private int probedPeer = -1;
    private long probeOrdinal;
    private long suspectedSequence = -1;
    private long reportedSequence = -1;
    private long waitingSinceNs;
    private long reportedNs;

    public DesyncDetector(final Team team, final Diagnosis diagnosis)
    {
        this.team = team;
        this.diagnosis = diagnosis;
        connections = team.connections();
    }

    /**
     * Asks the peer which call it is in; called repeatedly while the wait lasts.
     *
     * @param sequence   sequence of the call.
     * @param waitedPeer or -1.
     * @throws CollectiveException if the peer called something else, or calls nothing any more.
     */
    public void detect(final long sequence, final int waitedPeer)
    {
        publish(sequence);
        report(sequence, waitedPeer);
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

    /** Reports to the coordinator from time to time which peer this rank waits for. */
    private void report(final long sequence, final int waitedPeer)
    {
        final long nowNs = System.nanoTime();
        if (reportedSequence != sequence)
        {
            reportedSequence = sequence;
            waitingSinceNs = nowNs - PATIENCE_NS;
        }
        else if (nowNs - reportedNs < Bootstrap.WAIT_REPORT_INTERVAL_NS)
        {
            return;
        }
        reportedNs = nowNs;
        final int peer = team.ranks().callersRank(waitedPeer);
        team.context().job().reportWait(
            peer < 0 ? peer : team.ranks().jobRank(peer), diagnosis.where(sequence), nowNs - waitingSinceNs);
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
