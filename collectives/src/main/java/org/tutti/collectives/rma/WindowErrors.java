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
import org.tutti.collectives.wireup.RankTranslation;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.WorkCompletionStatus;

import java.util.Locale;

/** Says what went wrong in a window, in people's words. */
final class WindowErrors
{
    private final Team team;
    private final RankTranslation ranks;
    private final Diagnosis diagnosis;
    private final String window;

    /**
     * For one window.
     *
     * @param team      teams communicator.
     * @param diagnosis diagnosis of its communicator.
     * @param number    number of the call that made it.
     */
    WindowErrors(final Team team, final Diagnosis diagnosis, final long number)
    {
        this.team = team;
        ranks = team.ranks();
        this.diagnosis = diagnosis;
        window = "window #" + number;
    }

    /** The job was told of a failed rank. */
    CollectiveException rankFailed(final String waiting, final RankFailure failure)
    {
        return new RankFailedException(ranks.member(failure.rank()), here() + waiting + " failed: " + failure);
    }

    /** What somebody waits for who waits for signals. */
    String waitSignal(final int rank, final int signal, final long pending, final long count)
    {
        return "waitSignal(" + ranks.name(rank) + ", signal " + signal + ", " + pending + " of " + count +
            " came) in " + window;
    }

    /** What somebody waits for who waits until what was started for a rank is done. */
    String completion(final int rank)
    {
        return "what was put, got or signalled, to " + ranks.name(rank) + " in " + window + ',';
    }

    CollectiveException timeout(final int rank, final String waiting, final long timeoutNs)
    {
        final String text = here() + waiting + String.format(Locale.ROOT, " timed out after %.1f s", timeoutNs / 1e9);
        final String problem = team.bootstrap().coordinatorProblem();
        // Ranks connect by the coordinator: while it does not answer, none of them is known to be late.
        if (problem != null)
        {
            return new CollectiveTimeoutException(-1, text + ": " + problem);
        }
        final LateRanks late = new LateRanks(team);
        late.add(rank);
        late.lookAtProcesses();
        return late.timeout(text, rank);
    }

    CollectiveException closed(final int rank, final String waiting)
    {
        return error(rank, here() + waiting + " failed: " + ranks.name(rank) +
            " has closed the window: as many signals as are waited for must be sent before");
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
        return error(rank, here() + completion(rank) + " failed: ibv_post_send was refused with " + Errno.name(errno) +
            ": QP " + qp.qpNum() + " is in state " + qp.state());
    }

    CollectiveException overrun(final int rank)
    {
        return error(rank, here() + completion(rank) + " failed: the completion queue of " + team.device(rank) +
            " overran");
    }

    /** A message to a rank failed: if that died, this is often the first sign. */
    CollectiveException transport(final int rank, final QueuePair qp, final WorkCompletion failed)
    {
        final WorkCompletionStatus status = failed.status();
        final RankFailure failure = ErrorHints.isConsequence(status) ? diagnosis.awaitNotice() : null;
        if (failure != null)
        {
            return rankFailed(completion(rank), failure);
        }
        return error(rank, here() + completion(rank) + " failed: " + status.text() + " (" + status +
            ") on the connection to " + ranks.name(rank) + ", QP " + qp.qpNum() + " over " + team.device(rank) + ": " +
            ErrorHints.of(status));
    }

    CollectiveException cannotConnect(final int rank, final Throwable e)
    {
        return new CollectiveException(rank, here() + "cannot connect to " +
            (rank < 0 ? "those that ask for it" : ranks.name(rank)) + " in " + window + ": " + e.getMessage(), e);
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
