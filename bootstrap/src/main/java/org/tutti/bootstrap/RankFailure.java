/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/**
 * What the job knows of a rank that failed.
 *
 * @param rank  the rank that failed, or -1 when the launcher ended the job.
 * @param host  it ran on.
 * @param pid   its process, or 0 when unknown.
 * @param cause one line for people: "killed by SIGKILL", "exited with code 3", "no heartbeat for 5.0 s", …
 */
public record RankFailure(int rank, String host, long pid, String cause)
{
    /**
     * The cause of a rank's failure that the rank declared itself.
     *
     * @param reason what it said.
     * @return one line for people.
     */
    public static String aborted(final String reason)
    {
        return "aborted: " + reason;
    }

    /**
     * The failure of a rank that another one gave up waiting for.
     *
     * @param rank     the rank that is late, or -1 if none is known to be.
     * @param host     it runs on; empty if unknown.
     * @param pid      its process, or 0 if unknown.
     * @param reporter rank that gave up.
     * @param reason   what it said.
     * @return the failure, which names the late rank and not the one that gave up.
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
