/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.tutti.bootstrap.RankFailure;
import org.tutti.launcher.io.ExitCode;
import org.tutti.launcher.rank.ProgramSpec;

/**
 * How a job ends, as far as it is known: its first failure, its exit code, and whether it may be started again. Used
 * only by the thread that controls the job.
 */
final class JobOutcome
{
    private final JobSpec spec;
    private final Set<String> lostHosts = new HashSet<>();
    private boolean isEnding;
    private boolean isStopped;
    private boolean isOutputCut;
    private boolean mayRestart;
    private int exitCode;
    private RankFailure failure;
    private List<String> lastOutput;

    JobOutcome(final JobSpec spec)
    {
        this.spec = spec;
    }

    /** Sets the reason for the end, unless there was one before; returns whether there was none. */
    boolean end(final int code)
    {
        if (isEnding)
        {
            return false;
        }
        isEnding = true;
        exitCode = code;
        return true;
    }

    /** As {@link #end}, with a failure to report. */
    boolean fail(final RankFailure first, final int code)
    {
        final boolean isFirst = end(code);
        failure = isFirst ? first : failure;
        return isFirst;
    }

    /** Completes the first failure, once more is known about it. */
    void refine(final RankFailure known)
    {
        failure = known;
    }

    /** Sets the exit code of the rank that failed first, which has ended since. */
    void exitCode(final int code)
    {
        exitCode = code;
    }

    /** Sets whether a restart may mend the failure. */
    void mayRestart(final boolean isMended)
    {
        mayRestart = isMended;
    }

    /** Notes that a signal or the timeout ended the job. */
    void stopped()
    {
        isStopped = true;
    }

    /** Notes that output was discarded; returns whether it is the first time. */
    boolean outputCut()
    {
        final boolean isFirst = !isOutputCut;
        isOutputCut = true;
        return isFirst;
    }

    void lastOutput(final List<String> lines)
    {
        lastOutput = lines;
    }

    void lost(final String host)
    {
        lostHosts.add(host);
    }

    /** Returns whether the job failed or was stopped. */
    boolean isEnding()
    {
        return isEnding;
    }

    /** Returns whether a signal or the timeout ended the job. */
    boolean isStopped()
    {
        return isStopped;
    }

    boolean isOutputCut()
    {
        return isOutputCut;
    }

    /** Returns whether a rank failed first. */
    boolean isFailureOf(final int rank)
    {
        return failure != null && failure.rank() == rank;
    }

    /** Returns the rank that failed first; negative if there is none. */
    int failedRank()
    {
        return failure == null ? -1 : failure.rank();
    }

    boolean hasLastOutput()
    {
        return lastOutput != null;
    }

    /** Returns the job's exit code as far as it is known, after the end of the ranks. */
    int exitCode()
    {
        return exitCode;
    }

    /**
     * Returns whether the job failed in a way that a restart may mend: a rank or a host failed, and the user did not
     * end the job.
     */
    boolean isRestartable()
    {
        return mayRestart && !isUsageError() && !isStopped && !isOutputCut;
    }

    /** Returns the names of the hosts that were lost. */
    Set<String> lostHosts()
    {
        return lostHosts;
    }

    private boolean isUsageError()
    {
        return exitCode == ExitCode.USAGE && failedRank() >= 0 &&
            spec.section(failedRank()).program().kind() == ProgramSpec.Kind.JOB;
    }

    /**
     * Returns the message about the first failure, or null if there was none or it was reported already.
     *
     * @param more what follows the failure on its line.
     */
    String report(final String more)
    {
        // The output of a single rank is directly above the message.
        final boolean isAbove = spec.size() == 1 && spec.output().shown().get(0);
        return failure == null || isUsageError() ? null :
            FailureReport.text(failure, more, isAbove ? null : lastOutput);
    }
}
