/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/**
 * The failure of a rank.
 *
 * @param rank  the failed rank, or -1 if the failure is not that of a rank.
 * @param host  the host of the rank.
 * @param pid   the pid of the rank, or 0 if unknown.
 * @param cause the cause in one line: "killed by SIGKILL", "exited with code 3", "no heartbeat for 5.0 s", …
 */
public record RankFailure(int rank, String host, long pid, String cause)
{
    /**
     * Formats the cause of an abort by the failed rank itself.
     *
     * @param reason the rank's reason.
     * @return the cause in one line.
     */
    public static String aborted(final String reason)
    {
        return "aborted: " + reason;
    }

    /**
     * Creates the failure of a late rank, reported by a rank that timed out waiting for it.
     *
     * @param rank     the late rank, or -1 if unknown.
     * @param host     the host of the late rank; empty if unknown.
     * @param pid      the pid of the late rank, or 0 if unknown.
     * @param reporter the rank that timed out.
     * @param reason   the reporter's reason.
     * @return the failure, of the late rank instead of the reporter.
     */
    public static RankFailure late(
        final int rank, final String host, final long pid, final int reporter, final String reason)
    {
        return new RankFailure(rank, host, pid,
            rank < 0 ? "rank " + reporter + " gave up: " + reason : "kept rank " + reporter + " waiting: " + reason);
    }

    @Override
    public String toString()
    {
        return rank < 0 ?
            "the job was ended: " + cause :
            "rank " + rank + (host.isEmpty() ? "" : " on " + host) + (pid > 0 ? " (pid " + pid + ")" : "") +
                " failed: " + cause;
    }
}
