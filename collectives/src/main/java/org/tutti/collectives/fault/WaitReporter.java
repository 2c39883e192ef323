/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.fault;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.collectives.wireup.Team;

/** Reports to the coordinator, at intervals, for which peer this rank has waited for long. Not thread-safe. */
public final class WaitReporter
{
    private final Team team;
    private final Diagnosis diagnosis;
    private long reportedSequence = -1;
    private long waitingSinceNs;
    private long reportedNs;

    /** Creates the reporter of a communicator. */
    public WaitReporter(final Team team, final Diagnosis diagnosis)
    {
        this.team = team;
        this.diagnosis = diagnosis;
    }

    /**
     * Reports a wait that has lasted for {@link DesyncDetector#PATIENCE_NS}; called repeatedly during the wait.
     *
     * @param sequence   sequence number of the call.
     * @param waitedPeer awaited peer, or -1.
     */
    public void report(final long sequence, final int waitedPeer)
    {
        final long nowNs = System.nanoTime();
        if (reportedSequence != sequence)
        {
            reportedSequence = sequence;
            waitingSinceNs = nowNs - DesyncDetector.PATIENCE_NS;
        }
        else if (nowNs - reportedNs < Bootstrap.WAIT_REPORT_INTERVAL_NS)
        {
            return;
        }
        reportedNs = nowNs;
        team.context().job().reportWait(
            team.ranks().jobRank(waitedPeer), diagnosis.where(sequence), nowNs - waitingSinceNs);
    }
}
