/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveInterruptedException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.fault.ErrorHints;
import org.tutti.collectives.fault.LateRanks;
import org.tutti.collectives.util.Failures;
import org.tutti.collectives.wireup.CommunicatorRanks;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.WorkCompletionStatus;

import java.util.Locale;

/** Creates the exceptions of a window. */
final class WindowErrors
{
    private final Team team;
    private final CommunicatorRanks ranks;
    private final Diagnosis diagnosis;
    private final String window;

    /**
     * Creates errors for one window.
     *
     * @param team      team of the communicator.
     * @param diagnosis diagnosis of the communicator.
     * @param number    number of the call that created the window.
     */
    WindowErrors(final Team team, final Diagnosis diagnosis, final long number)
    {
        this.team = team;
        ranks = team.ranks();
        this.diagnosis = diagnosis;
        window = "window #" + number;
    }

    /** Returns the error for a failed rank of the job. */
    CollectiveException rankFailed(final String waiting, final RankFailure failure)
    {
        return new RankFailedException(ranks.member(failure.rank()), here() + waiting + " failed: " + failure);
    }

    /** Returns the text for a wait for signals. */
    String waitSignal(final int rank, final int signal, final long pending, final long count)
    {
        return "waitSignal(" + ranks.name(rank) + ", signal " + signal + ", " + pending + " of " + count +
            " arrived) in " + window;
    }

    /** Returns the text for a wait for the completion of operations on a rank. */
    String completion(final int rank)
    {
        return "operations on " + ranks.name(rank) + " in " + window;
    }

    CollectiveException timeout(final int rank, final String waiting, final long timeoutNs)
    {
        final String text = here() + waiting + String.format(Locale.ROOT, " timed out after %.1f s", timeoutNs / 1e9);
        final String problem = team.bootstrap().coordinatorProblem();
        // Ranks connect through the coordinator: while it does not answer, no rank is known to be late.
        if (problem != null)
        {
            return new CollectiveTimeoutException(-1, text + ": " + problem);
        }
        final LateRanks late = new LateRanks(team);
        late.add(rank);
        late.readProcessStates();
        return late.timeout(text, rank);
    }

    CollectiveException closed(final int rank, final String waiting)
    {
        return error(rank, here() + waiting + " failed: " + ranks.name(rank) +
            " has closed the window: send all signals that peers wait for before closing it");
    }

    CollectiveException closing(final int rank, final String waiting, final String thread)
    {
        return error(rank, here() + waiting + " failed: thread " + thread + " closed the communicator while it waited");
    }

    CollectiveException interrupted(final int rank, final String waiting)
    {
        return new CollectiveInterruptedException(team.rank(), here() + waiting + " failed: thread " +
            Thread.currentThread().getName() + " was interrupted while it waited for " + ranks.name(rank));
    }

    CollectiveException refused(final int rank, final QueuePair qp, final int errno)
    {
        return error(rank, here() + completion(rank) + " failed: ibv_post_send returned " + Errno.name(errno) +
            ": QP " + qp.qpNum() + " is in state " + qp.state());
    }

    /** Returns the error for shared memory that cannot be accessed any more. */
    CollectiveException memoryFault(final int rank, final InternalError fault)
    {
        return new CollectiveException(
            -1, here() + completion(rank) + " failed: " + Failures.reason(fault), fault);
    }

    CollectiveException overrun(final int rank)
    {
        return error(rank, here() + completion(rank) + " failed: the completion queue of " + team.device(rank) +
            " overran");
    }

    /** Returns the error for a failed request. This is often the first indication that the rank died. */
    CollectiveException transport(final int rank, final QueuePair qp, final WorkCompletion failed)
    {
        final WorkCompletionStatus status = failed.status();
        final RankFailure failure = ErrorHints.isConsequence(status) ? diagnosis.awaitFailureNotice() : null;
        if (failure != null)
        {
            return rankFailed(completion(rank), failure);
        }
        return error(rank, here() + completion(rank) + " failed: " + status.text() + " (" + status +
            ") on the connection to " + ranks.name(rank) + ", QP " + qp.qpNum() + " over " + team.device(rank) + ": " +
            ErrorHints.of(status, team.device(rank).port().transport()));
    }

    CollectiveException cannotConnect(final int rank, final Throwable e)
    {
        return new CollectiveException(rank, here() + "cannot connect to " +
            (rank < 0 ? "ranks that request a connection" : ranks.name(rank)) + " in " + window + ": " +
            e.getMessage(), e);
    }

    private String here()
    {
        return ranks.name(team.rank()) + ": ";
    }

    private static CollectiveException error(final int rank, final String message)
    {
        return new CollectiveException(rank, message, null);
    }
}
