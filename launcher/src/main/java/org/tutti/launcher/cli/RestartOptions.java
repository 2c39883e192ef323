/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.io.UsageException;
import org.tutti.launcher.job.Restarts;

/** The options of {@code tutti run} for starting a job again after a failure. */
final class RestartOptions
{
    private static final String MAX_RESTARTS = "--max-restarts";
    private static final String MIN_NODES = "--min-nodes";
    private static final int LIMIT = 1_000_000;

    private final int limit;
    private final int minNodes;

    /**
     * Reads the values of these options.
     *
     * @throws UsageException if a value is invalid.
     */
    RestartOptions(final OptionBuilder options)
    {
        limit = NodeOptions.number(MAX_RESTARTS, options.valueOf(MAX_RESTARTS), 0, LIMIT);
        final String nodes = options.valueOf(MIN_NODES);
        minNodes = nodes == null ? 0 : NodeOptions.number(MIN_NODES, nodes, 1, RankPlacement.MAX_RANKS);
        if (minNodes > 0 && limit < Restarts.MAX_LOSSES)
        {
            throw new UsageException(MIN_NODES + " " + minNodes + " needs " + MAX_RESTARTS + " " +
                Restarts.MAX_LOSSES + " or more, not " + limit + ": a host is left out after it was lost in " +
                Restarts.MAX_LOSSES + " starts");
        }
    }

    static void addTo(final OptionBuilder options)
    {
        options
            .textOr("0", "N", "Starts the job again after a failure of a rank or host, at most N times (default: 0); " +
                "ranks find the number of restarts in TUTTI_RESTART_COUNT. With --nnodes, give it to node rank 0.",
                MAX_RESTARTS)
            .text("M", "Leaves out a host that was lost in two starts, with its ranks, while M hosts remain " +
                "(default: none is left out).", MIN_NODES);
    }

    /** Returns whether hosts that were lost may be left out. */
    boolean mayLeaveOut()
    {
        return minNodes > 0;
    }

    /**
     * Returns how often a job is started again.
     *
     * @param hosts  the number of hosts that the user gave.
     * @param source the source of the hosts of a restart.
     * @throws UsageException if no host could be left out, but the user gave a minimum.
     */
    Restarts restarts(final int hosts, final Restarts.HostSource source)
    {
        if (minNodes > 0 && hosts == 1)
        {
            throw new UsageException(
                MIN_NODES + " " + minNodes + " needs 2 or more hosts, and the job has 1: leave it out, or give more");
        }
        if (minNodes >= hosts)
        {
            throw new UsageException(MIN_NODES + " " + minNodes + " is not below the number of hosts, " + hosts +
                ": no host could be left out; give 1 to " + (hosts - 1));
        }
        return new Restarts(limit, hosts, minNodes, source);
    }
}
