/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/**
 * What the job knows of a rank that failed.
 *
 * @param rank  that failed, or -1 when the launcher ended the job.
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

    @Override
    public String toString()
    {
        return rank < 0 ?
            "the job was ended: " + cause :
            "rank " + rank + " on " + host + (pid > 0 ? " (pid " + pid + ")" : "") + " failed: " + cause;
    }
}
