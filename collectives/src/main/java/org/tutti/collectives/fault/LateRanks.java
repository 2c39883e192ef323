/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.fault;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapRequest;
import org.tutti.bootstrap.ProcessState;
import org.tutti.bootstrap.ProcessStates;
import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.util.Backoff;
import org.tutti.collectives.wireup.CommunicatorRanks;
import org.tutti.collectives.wireup.Team;

import java.util.BitSet;
import java.util.concurrent.TimeUnit;

/**
 * The ranks that are late for a call whose deadline has passed: those whose processes are stopped, and those that have
 * not made the call. A rank that has made the call waits itself and is not late. Each object is used for one missed
 * deadline only.
 */
public final class LateRanks
{
    /**
     * Time limit for reads that add detail to an error; the call's deadline has passed, but on a busy host an answer
     * takes a while.
     */
    static final long READ_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Team team;
    private final CommunicatorRanks ranks;
    private final StringBuilder text = new StringBuilder();
    private final BitSet late = new BitSet();
    private final BitSet stopped = new BitSet();
    private CollectiveException disagreement;

    public LateRanks(final Team team)
    {
        this.team = team;
        ranks = team.ranks();
    }

    /** Adds a late rank without detail. */
    public void add(final int rank)
    {
        late.set(rank);
    }

    /** Adds a rank that has not made the call. */
    public void add(final int rank, final String detail)
    {
        add(rank);
        append(ranks.name(rank) + detail);
    }

    /** Adds a rank whose calls are unknown. */
    void addSilent(final int rank, final boolean isConnected)
    {
        if (isConnected)
        {
            add(rank, " does not answer");
        }
        else if (team.wireup().isAwaited(rank))
        {
            add(rank, " has not made the call");
        }
    }

    /** Records that a rank makes another call. The first disagreement recorded is the one to report. */
    void disagreement(final CollectiveException found)
    {
        disagreement = disagreement == null ? found : disagreement;
    }

    /** Reads process states: a rank whose process is stopped is late even if it has made the call. */
    public void readProcessStates()
    {
        final ProcessStates states = readStates();
        for (int rank = 0; rank < team.size(); rank++)
        {
            final int jobRank = ranks.jobRank(rank);
            final boolean isStopped = states.get(jobRank) == ProcessState.STOPPED;
            stopped.set(rank, isStopped);
            if (isStopped || (late.get(rank) && states.get(jobRank) != null))
            {
                append("rank " + rank + ' ' + states.text(jobRank));
            }
        }
    }

    private ProcessStates readStates()
    {
        final long startNs = System.nanoTime();
        try
        {
            final BootstrapRequest request = team.context().job().getAsync(ProcessStates.KEY);
            while (!request.test())
            {
                if (System.nanoTime() - startNs >= READ_TIMEOUT_NS)
                {
                    return new ProcessStates();
                }
                Backoff.sleep(PAUSE_NS);
            }
            return ProcessStates.decode(request.value());
        }
        catch (final BootstrapException e)
        {
            // The job has failed, and its error has the reason.
            return new ProcessStates();
        }
    }

    private void append(final String detail)
    {
        text.append(text.isEmpty() ? "" : "; ").append(detail);
    }

    /**
     * Returns the exception to throw.
     *
     * @param message beginning of the message.
     * @param peer    peer that the call waits for, or -1.
     */
    public CollectiveException timeout(final String message, final int peer)
    {
        return timeout(message, peer, team.connectionTable().isComplete() ?
            "; all ranks have made the call" : "; all connected ranks have made the call");
    }

    /**
     * As {@link #timeout(String, int)}.
     *
     * @param message beginning of the message.
     * @param peer    peer that the call waits for, or -1.
     * @param entered appended if no rank is late.
     */
    public CollectiveException timeout(final String message, final int peer, final String entered)
    {
        if (disagreement != null)
        {
            return disagreement;
        }
        // Ranks with the same deadline time out together. The coordinator no longer answers the later rank, but has
        // sent it what the earlier rank found.
        final RankFailure failure = team.bootstrap().failure();
        final String waited = peer < 0 ? message : message + " waiting for " + ranks.name(peer);
        final String known = late.isEmpty() && failure == null ? entered : "";
        final int blamed = blamed(peer);
        return new CollectiveTimeoutException(
            blamed < 0 && failure != null ? ranks.member(failure.rank()) : blamed,
            waited + known + (text.isEmpty() ? "" : "; " + text) + (failure == null ? "" : "; " + failure));
    }

    private int blamed(final int peer)
    {
        final BitSet candidates = stopped.isEmpty() ? late : stopped;
        return peer >= 0 && candidates.get(peer) ? peer : candidates.nextSetBit(0);
    }
}
