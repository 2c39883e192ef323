/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.Arrays;

/**
 * Division of all ranks into runs: ranges of consecutive ranks of one host, as long as possible. If hosts are filled in
 * rank order, each has one run. Immutable.
 */
public final class HostRuns
{
    private final int[] starts;
    private final int longest;

    /**
     * Finds the runs.
     *
     * @param hosts placement of the ranks.
     */
    public HostRuns(final HostMap hosts)
    {
        final int[] found = new int[hosts.size() + 1];
        int number = 0;
        int most = 0;
        for (int rank = 1; rank <= hosts.size(); rank++)
        {
            if (rank == hosts.size() || hosts.host(rank) != hosts.host(rank - 1))
            {
                most = Math.max(most, rank - found[number]);
                found[++number] = rank;
            }
        }
        starts = Arrays.copyOf(found, number + 1);
        longest = most;
    }

    /**
     * Returns the number of runs.
     *
     * @return runs, at least 1.
     */
    public int number()
    {
        return starts.length - 1;
    }

    /**
     * Returns the run of a rank.
     *
     * @param rank rank, from 0.
     * @return index of the run, from 0, in rank order.
     */
    public int run(final int rank)
    {
        final int found = Arrays.binarySearch(starts, rank);
        return found < 0 ? -found - 2 : found;
    }

    /**
     * Returns the first rank of a run.
     *
     * @param run index of the run, from 0.
     * @return the lowest rank.
     */
    public int first(final int run)
    {
        return starts[run];
    }

    /**
     * Returns the last rank of a run.
     *
     * @param run index of the run, from 0.
     * @return the highest rank.
     */
    public int last(final int run)
    {
        return starts[run + 1] - 1;
    }

    /**
     * Returns the length of the longest run.
     *
     * @return number of ranks, at least 1.
     */
    public int longest()
    {
        return longest;
    }
}
